/** Judges values where nothing but a password can be, so that even a short or simple one counts. */

/** A lookup, a mark, an option, a path, punctuation: what is no password where nothing else can be. */
const noPassword =
  /^[$%<{[`*@…/-]|^[!?)\]}'"|]+$|^([x*.•_])\1*$|^(?:your?|my|some|the|an?|example|sample|dummy|fake|placeholder|replace|insert)[-_ .]|^(?:none|null|nil|true|false|foo|ba[rz])$/i
/** Words that follow the option in a sentence about it. */
const aboutOption =
  /^(?:flags?|options?|switch|arguments?|parameters?|and|or|is|are|was|to|with|without|instead|if|in|on|for|from|the|an?|as|you|it|of|by)$/i
/** What documents write in place of a password: `db_pass`, `user-password`, `MYSQL_ROOT`. */
export const nameOfPassword: RegExp =
  /^(?:(?:my|your?|the|new|old|api|access|db|database|mysql|redis|root|admin|user|service|app|some)[-_ ]?)*(?:pass(?:word|wd|phrase|code|w)?|pwd|pw|secret|token|api[-_]?key|auth|key)s?$/i
const constant = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/

/** Whether a value is a password if nothing but a password can be where it is. */
export function isOnlyPassword(value: string): boolean {
  const word = value.replace(/[.,;:!?)\]}'"|]+$/, '')
  return word !== '' && ![noPassword, aboutOption, nameOfPassword, constant].some((form) => form.test(word))
}
