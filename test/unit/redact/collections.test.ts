/**
 * Lists and maps that contain secrets according to a single name: each of them is redacted, and their surroundings are
 * not.
 */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)
const [first, second] = [`${noise(401, 22)}7q`, `${noise(402, 22)}4k`]
/** `A` and `B` are the places of two tokens. */
const filled = (text: string): string => text.replaceAll('‹A›', first).replaceAll('‹B›', second)

describe('all secrets of a collection are redacted', () => {
  test.each([
    'apiKeys = ["‹A›", "‹B›"]',
    "const accessTokens = new Set(['‹A›', '‹B›'])",
    'var apiKeys = []string{"‹A›", "‹B›"}',
    'let tokens: string[] = ["‹A›", "‹B›"]',
    '{"tokens": {"ci": "‹A›", "cd": "‹B›"}}',
    '{"secrets": {"db": {"main": "‹A›"}, "mail": "‹B›"}}',
    '"tokens": [\n  {"name": "ci", "value": "‹A›"},\n  {"name": "cd", "value": "‹B›"}\n]',
    "const credentials = { ada: '‹A›', bob: `‹B›` }",
    'tokens = {\n  ada => "‹A›",\n  bob => "‹B›",\n}',
    'api_tokens:\n- "‹A›"\n- ‹B›\n',
    'secrets:\n  db: ‹A›\n  mail: "‹B›" # why\n',
    '+  api_keys:\n+    ada: ‹A›\n+    bob: ‹B›\n',
    '+passwords:\n   ada: ‹A›\n-  bob: ‹B›\n',
    '[api_keys]\nada = "‹A›"\nbob = ‹B›\n\n[other]\n',
    'API_TOKENS=‹A›,‹B›\n',
    'API_KEYS="ada:‹A› bob:‹B›"\n',
    'export SERVICE_SECRETS=‹A›\nexport ACCESS_KEYS=‹B›\n',
    '<key>ApiKeys</key>\n<array>\n  <string>‹A›</string>\n  <string>‹B›</string>\n</array>',
    '<string-array name="api_keys">\n  <item>‹A›</item>\n  <item>‹B›</item>\n</string-array>',
    '<apiKeys>\n  <add>‹A›</add>\n  <add>‹B›</add>\n</apiKeys>',
    'api.keys[0]=‹A›\napp.security.tokens[1].value=‹B›\n',
    '$tokens[] = "‹A›";\n$tokens[] = "‹B›";',
    'tokens.push("‹A›"); api_keys.append(\'‹B›\')',
    'secrets["db"] = "‹A›"\nsecrets[\'mail\'] = "‹B›"',
    'run --api-keys ‹A›,‹B› --x',
    'set -gx TOKENS ‹A› ‹B›\n',
    'https://h.example.com/?api_keys=‹A›,‹B›&x=1',
    'variable "api_tokens" {\n  type = list(string)\n  default = ["‹A›", "‹B›"]\n}',
    "SELECT * FROM t WHERE token IN ('‹A›', '‹B›')",
    '"X-Api-Key": [\n  "‹A›",\n  "‹B›"\n]',
    'TOKEN=(‹A› ‹B›)\n',
    'TOKENS=(‹A› ‹B›)\n',
    'The API keys are:\n- ‹A›\n- ‹B›\n\nDone.',
    'Here are the tokens:\n1. ‹A›\n2. `‹B›`\n',
    'Passwords:\nada / ‹A›\nbob / ‹B›\n',
    'New API keys created:\n‹A›\n‹B›\n',
    '**Tokens**\n\n- ci: `‹A›`\n- cd: `‹B›`\n',
    '## Secrets\n\n- prod: ‹A›\n- dev: ‹B›\n',
    'api keys: ‹A› and ‹B›',
    'my tokens are ‹A› and ‹B›',
    'USER PASSWORD                 CITY\n---- ------------------------ ----\nada  ‹A› Rome\nbob  ‹B› Bonn\n',
    "│ (index) │ user │ password │\n├─────────┼──────┼──────────┤\n│    0    │ 'a'  │ '‹A›' │\n│    1    │ 'b'  │ '‹B›' │\n",
    's:8:"password";s:24:"‹A›";s:5:"token";s:24:"‹B›";',
    '"token": {"access": "‹A›", "refresh": "‹B›"}',
    'apiKey: { prod: "‹A›", dev: "‹B›" }',
    'api_key:\n  prod: ‹A›\n  dev: ‹B›\n',
    '[token]\nprod = "‹A›"\ndev = ‹B›\n',
    '<apiKey><prod>‹A›</prod><dev>‹B›</dev></apiKey>',
    'KEY1=‹A›\nKEY_2=‹B›\n',
    'pass_phrase: ‹A›\nkeyMaterial: ‹B›\n',
    'expect(token).toBe("‹A›"); expect(apiKey).toEqual(\'‹B›\')',
    'passwords:\n  ada: ‹A›\n  bob: ‹B›\n',
    '{"passwords": {"ada": "‹A›", "bob": "‹B›"}}',
  ])('in %j', (text) => {
    const shown = redacted(filled(text))
    expect(shown).not.toContain(first)
    expect(shown).not.toContain(second)
    expect(shown.replaceAll(/\[redacted:[\w-]+(?:#\d+)?\]/g, '‹›')).toBe(text.replaceAll(/‹[AB]›/g, '‹›'))
  })
})

describe('nothing is redacted', () => {
  test.each([
    'tokens = {\n  "root": [(r"0[xX][0-9a-fA-F]+", Number.Hex), (r"(?s)/\\*.*?\\*/", Comment)],\n}',
    'tokens: { colour: "lbBoxLineDashSegLenF", size: "H5A.get_name" }',
    '{"tokens": {"input": 128000, "output": 4096, "model": "gpt-5.1-codex-max"}}',
    `{"keys": [{"kty": "RSA", "kid": "${noise(403, 24)}", "n": "${noise(404, 80)}"}]}`,
    `{"credentials": {"client_id": "${noise(405, 24)}", "url": "https://h.example.com/${noise(406, 24)}"}}`,
    'gpg --keyserver hkps://keys.openpgp.org --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356',
    `API keys are kept in a vault.\n\n- see ${noise(413, 24)}\n`,
    `The tokens:\n\nA sentence; see ${noise(414, 24)}.`,
    'secrets:\n  db_password:\n    file: ./secrets/db-password-2024.txt\nvolumes:\n  data: {}\n',
    `secrets: inherit\nother: ${noise(407, 24)}\n`,
    `secrets:\n  - name: regcred\nimage: ${noise(408, 24)}\n`,
    '"node_modules/token-providers": {"version": "3.1045.0", "license": "Apache-2.0"}',
    `max_tokens=4096,cached_tokens=${noise(409, 24)}`,
    `[api_keys]\nttl = 30\n\n[build]\nrevision = ${noise(410, 24)}\n`,
    `The tokens are made of words; see ${noise(411, 24)}.`,
  ])('in %j', (text) => {
    expect(redacted(text)).toBe(text)
  })
})
