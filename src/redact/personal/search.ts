/** A search by a policy: secrets always, personal data as far as it says. */
import type { PersonalPolicy } from '../../model/personal.ts'
import { type Finder, finder, findSecrets } from '../find.ts'
import type { Search } from '../redactor.ts'
import { rules } from '../rules/all.ts'
import { homeRules, isUsualHome, ownHomeRules, rootRules } from './homes.ts'
import { people } from './people.ts'

/**
 * Makes searches by a policy, one for each session. `homeDir` is the home folder of who runs the program; an empty text
 * where that does not matter.
 */
export function personalSearch(policy: PersonalPolicy, homeDir: string): () => Search {
  const find = finderOf(policy, homeDir)
  return () => {
    if (!policy.names && !policy.emails) return { find }
    const known = people(policy)
    if (isUsualHome(homeDir)) known.learn(homeDir)
    return { find, people: known }
  }
}

function finderOf({ home, roots }: PersonalPolicy, homeDir: string): Finder {
  const homes = home ? [...ownHomeRules(homeDir), ...homeRules] : []
  const personal = [...rootRules(roots, homeDir), ...homes]
  return personal.length === 0 ? findSecrets : finder([...rules, ...personal])
}
