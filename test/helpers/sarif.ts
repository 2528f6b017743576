/** What SARIF 2.1.0 (OASIS) and code scanning require of a log, for the parts that ours uses. */

type Json = Record<string, unknown>

const levels = ['none', 'note', 'warning', 'error']
/** Limits of code scanning for one run. */
const maxResults = 5000
const maxTags = 20

/** The faults of a log, as `path: problem`; none if it is valid. Properties that we do not know are faults. */
export function sarifFaults(text: string): string[] {
  const faults: string[] = []
  const say = (path: string, problem: string): void => {
    faults.push(`${path}: ${problem}`)
  }
  const log = JSON.parse(text) as Json
  checkKeys(log, '$', ['$schema', 'version', 'runs'], say)
  if (log['version'] !== '2.1.0') say('$.version', 'is not 2.1.0 (§3.13.2)')
  const runs = list(log['runs'])
  if (runs.length !== 1) say('$.runs', 'is not one run')
  for (const [index, run] of runs.entries()) checkRun(run, `$.runs[${index}]`, say)
  return faults
}

type Say = (path: string, problem: string) => void

function checkRun(run: Json, path: string, say: Say): void {
  checkKeys(run, path, ['tool', 'automationDetails', 'columnKind', 'invocations', 'results'], say)
  const driver = record(record(run['tool'])['driver'])
  checkKeys(driver, `${path}.tool.driver`, ['name', 'version', 'semanticVersion', 'rules'], say)
  texts(driver, `${path}.tool.driver`, ['name', 'version', 'semanticVersion'], say)
  if (!/^\d+\.\d+\.\d+/.test(String(driver['semanticVersion']))) say(path, 'has no semantic version (§3.19.12)')
  if (run['columnKind'] !== 'utf16CodeUnits' && run['columnKind'] !== 'unicodeCodePoints')
    say(path, 'has no columnKind')
  const rules = list(driver['rules'])
  const ids = rules.map(({ id }) => String(id))
  if (new Set(ids).size !== ids.length) say(`${path}.tool.driver.rules`, 'repeats an id (§3.19.23)')
  for (const [index, rule] of rules.entries()) checkRule(rule, `${path}.rules[${index}]`, say)
  const results = list(run['results'])
  if (!Array.isArray(run['results'])) say(`${path}.results`, 'is no array (§3.14.23)')
  if (results.length > maxResults) say(`${path}.results`, 'are more than code scanning shows')
  for (const [index, result] of results.entries()) checkResult(result, ids, `${path}.results[${index}]`, say)
  for (const invocation of list(run['invocations'])) checkInvocation(invocation, `${path}.invocations`, say)
}

function checkRule(rule: Json, path: string, say: Say): void {
  const names = ['shortDescription', 'fullDescription', 'help']
  checkKeys(rule, path, ['id', 'name', ...names, 'defaultConfiguration', 'properties'], say)
  texts(rule, path, ['id', 'name'], say)
  if (/\s/.test(String(rule['name']))) say(path, 'has a name that is no identifier (§3.49.7)')
  for (const name of names) texts(record(rule[name]), `${path}.${name}`, ['text'], say)
  level(record(rule['defaultConfiguration'])['level'], path, say)
  const properties = record(rule['properties'])
  const tags = properties['tags']
  if (!Array.isArray(tags) || tags.length > maxTags || new Set(tags).size !== tags.length) say(path, 'has bad tags')
  const severity = properties['security-severity']
  if (severity !== undefined && !(typeof severity === 'string' && Number(severity) > 0 && Number(severity) <= 10)) {
    say(path, 'has a security-severity that is no number from 0 to 10 as text')
  }
}

function checkResult(result: Json, ids: readonly string[], path: string, say: Say): void {
  const names = ['ruleId', 'ruleIndex', 'level', 'message', 'locations', 'partialFingerprints']
  checkKeys(result, path, [...names, 'occurrenceCount', 'properties'], say)
  if (ids[Number(result['ruleIndex'])] !== result['ruleId']) say(path, 'names another rule than its index (§3.27.6)')
  level(result['level'], path, say)
  texts(record(result['message']), `${path}.message`, ['text'], say)
  const locations = list(result['locations'])
  if (locations.length === 0) say(path, 'has no location, which code scanning needs')
  for (const location of locations) {
    const physical = record(location['physicalLocation'])
    const uri = record(physical['artifactLocation'])['uri']
    if (
      typeof uri !== 'string' ||
      !/^(?:[\w.~!$&'()*+,;=@-]|%[0-9A-F]{2})+(?:\/(?:[\w.~!$&'()*+,;=@-]|%[0-9A-F]{2})+)*$/.test(uri)
    ) {
      say(path, `has no relative URI: ${String(uri)} (§3.4.3)`)
    }
    const line = record(physical['region'])['startLine']
    if (!Number.isInteger(line) || Number(line) < 1) say(path, 'has no line from 1 on (§3.30.5)')
  }
  const count = result['occurrenceCount']
  if (count !== undefined && !(Number.isInteger(count) && Number(count) > 0)) say(path, 'has a bad count (§3.27.20)')
  const prints = Object.entries(record(result['partialFingerprints']))
  if (prints.length === 0 || prints.some(([name, value]) => !/\/v\d+$/.test(name) || typeof value !== 'string')) {
    say(path, 'has no versioned fingerprint (§3.27.17)')
  }
}

function checkInvocation(invocation: Json, path: string, say: Say): void {
  checkKeys(invocation, path, ['executionSuccessful', 'toolExecutionNotifications'], say)
  if (typeof invocation['executionSuccessful'] !== 'boolean') say(path, 'does not say whether it succeeded (§3.20.14)')
  for (const item of list(invocation['toolExecutionNotifications'])) {
    checkKeys(item, path, ['level', 'message', 'associatedRule'], say)
    level(item['level'], path, say)
    texts(record(item['message']), path, ['text'], say)
  }
}

function level(value: unknown, path: string, say: Say): void {
  if (!levels.includes(String(value))) say(path, `has no level: ${String(value)} (§3.27.10)`)
}

function texts(value: Json, path: string, names: readonly string[], say: Say): void {
  for (const name of names) {
    const text = value[name]
    if (typeof text !== 'string' || text.trim() === '') say(path, `has no ${name}`)
  }
}

function checkKeys(value: Json, path: string, names: readonly string[], say: Say): void {
  for (const name of Object.keys(value)) if (!names.includes(name)) say(path, `has a property ${name}`)
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}
