/** Words and phrases to avoid, in code and in all that a reader sees, each with what to say instead. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('../../../', import.meta.url))

/** A pattern for a name or text, and what to say instead. */
type Advice = readonly [form: RegExp, instead: string]

/** Names of types, functions, constants and fields. `mostTouchedFiles` is plain English and stays. */
const names: readonly Advice[] = [
  [/^most(?!TouchedFiles$)[A-Z]/, 'max…'],
  [/^least[A-Z]/, 'min…'],
  [/^(?:enough|patience)$/, 'a name with its unit, such as timeoutMs'],
  [/Book$|^book$/, '…Collector or …Index'],
  [/^(?:Room|roomFor|rooms?)$/, 'Container, folder or capacity'],
  [/^[hH]unt$/, 'MatchContext'],
  [/^Whole$/, 'FullRollout'],
  [/^[fF]ates?(?:Of)?$/, 'disposition'],
  [/^isForsaken$/, 'isStale'],
  [/^shower$/, 'displayText, or what is replaced'],
  [/^breathe$/, 'yieldToEventLoop'],
  [/^takesPlan/, 'tryMergePlan: a predicate changes nothing'],
  [/^behind(?=[A-Z]|$)|Behind(?=[A-Z]|$)/, 'after'],
  [/^stands(?=[A-Z]|$)|^twofold$|^letGo$/, 'what it is: isAfter, hasTwoWords, release'],
  [
    /(?:^t|T)(?:ell(?:s|ing)?|old)(?=[A-Z]|$)/,
    'what it does, or what was told: report, notify, describe; reported, known …',
  ],
  [
    /^(?:Look|Place|Work|Tools|Task|Stage)$/,
    'the name of the thing: Appearance, SourceRef, BuildContext, StagingArea …',
  ],
]

/** Names of files, without their extension. */
const files: readonly Advice[] = [
  [/^(?:alone)(?:-fs)?$/, 'standalone'],
  [/^(?:beside)(?:-fs)?$/, 'hosted'],
  [/^(?:across)(?:-fs)?$/, 'cross-session'],
  [/^(?:left-out)(?:-fs)?$/, 'omissions'],
  [/^(?:words|literal)(?:-fs)?$/, 'text, or what the words are'],
  [/^(?:talk)(?:-fs)?$/, 'messages'],
  [/^(?:fate)(?:-fs)?$/, 'disposition'],
  [/^(?:room|hunt)(?:-fs)?$/, 'container, match'],
  [/(?:^|-)book(?:-fs)?$/, 'collector or index'],
]

/** Phrases in docs, templates and texts of the program. */
const phrases: readonly Advice[] = [
  [/what private/i, 'which private data'],
  [/what becomes of/i, 'what to do with'],
  [/\blie in each other/i, 'overlap'],
  [/of which no byte is written/i, 'omit entirely'],
  [/\bid begins like this/i, 'id starts with ID'],
  [/\b(?:is|are) none of (?:the|an?|Codex's)\b/i, 'is not one of, is not a valid'],
  [/`\w+` is none\b/i, 'is not a valid …'],
  [/\bnot told one by one\b/i, 'not listed'],
  [/\blies? (?:in|beside|outside|below) (?!each )/i, 'is in, is next to, is outside'],
  [/\bwhat from\b/i, 'what it protects against'],
  [/\bcan(?:not)? be (?:told|known) (?:as|whether|from)\b/i, 'can be recognised, cannot tell whether'],
  [/\b(?:is|are) told (?:as|by|of|in)\b/i, 'is reported, is listed, is shown'],
  [
    /\b(?:it|they|that|page|docs?|md|command|check|list|title) tells? (?:which|how|what|where|who|of)\b/i,
    'says, lists, shows',
  ],
  [/\bgo(?:es)? on (?:with|behind|from|in) /i, 'continues'],
  [/\botherwise than\b/i, 'differently from, in another way than'],
  [/\ball the same\b/i, 'anyway'],
  [/\banew\b/i, 'again, or a new one'],
  [/\blet(?:s|ting)? (?:it )?pass\b/i, 'accept'],
  [/\b(?:in the midst|in spite) of\b/i, 'during, despite'],
  [/\bof (?:its|their) own\b/i, 'separate, its own …'],
  [/\bhangs? on\b/i, 'depends on, is built from'],
  [/\bread no more\b/i, 'not read any more'],
  [/\bstands? (?:beside|behind|where) /i, 'is next to, follows, is where'],
]

/** The advice for a text, if any pattern matches. */
function adviceFor(text: string, list: readonly Advice[]): string[] {
  return list.flatMap(([form, instead]) => (form.test(text) ? [`${text.trim()}: say ${instead}`] : []))
}

/** Names that a module declares, ignoring comments and string literals. */
function declaredNames(code: string): string[] {
  const bare = withoutComments(code).replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
  const declarations = bare.matchAll(
    /(?<!\bas )\b(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)|^\s+(?:readonly\s+)?#?(\w+)\??:\s|[[({,]\s*(?:\.{3})?(\w+)(?=\s*[,})\]:=])/gm,
  )
  return [...declarations].flatMap((match) => match.slice(1).filter((name) => name !== undefined))
}

function withoutComments(code: string): string {
  return code.replace(/\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

/** String literals of a module. */
function textsOf(code: string): string[] {
  return [...withoutComments(code).matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(
    ([text]) => text,
  )
}

/** Paths in a folder of the project, with slashes. */
function filesBelow(folder: string, form: RegExp): string[] {
  return readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => form.test(path))
}

function read(path: string): string {
  return readFileSync(join(project, path), 'utf8')
}

const modules = filesBelow('src', /\.ts$/)

const sources = [...modules, ...filesBelow('templates', /\.js$/), ...filesBelow('test/helpers', /\.ts$/)]

describe('the words to avoid', () => {
  it('name nothing in the source, in the scripts of pages or in the helpers of tests', () => {
    const found = sources.flatMap((path) =>
      [...new Set(declaredNames(read(path)))].flatMap((name) =>
        adviceFor(name, names).map((line) => `${path}: ${line}`),
      ),
    )
    expect(found).toEqual([])
  })

  it('name no file of the source', () => {
    const found = modules.flatMap((path) => adviceFor(path.replace(/^.*\/|\.ts$/g, ''), files))
    expect(found).toEqual([])
  })

  it.each([
    ...readdirSync(project).filter((name) => name.endsWith('.md')),
    ...filesBelow('docs', /\.md$/).filter((path) => !path.endsWith('rollout-format.md')),
  ])('are not in %s', (path) => {
    expect(
      read(path)
        .split('\n')
        .flatMap((line) => adviceFor(line, phrases)),
    ).toEqual([])
  })

  it('are in no template', () => {
    const templates = filesBelow('templates', /\.(?:eta|js)$/)
    expect(
      templates.flatMap((path) =>
        withoutComments(read(path))
          .split('\n')
          .flatMap((line) => adviceFor(line, phrases)),
      ),
    ).toEqual([])
  })

  it('are in no text of the program', () => {
    const found = modules.flatMap((path) =>
      textsOf(read(path)).flatMap((text) => adviceFor(text, phrases).map((line) => `${path}: ${line}`)),
    )
    expect(found).toEqual([])
  })
})

describe('a planted word', () => {
  it.each([
    'const mostRows = 200',
    'function roomFor(): void {}',
    'interface LinkBook {',
    'export type Look = string',
    'function pick(hunt: number): void {}',
    'const { told } = values',
    'function tellNamed(): void {}',
    'let isErrorTold = false',
    'const sizes = [1, 2] as const\n\nfunction roomFor(): void {}',
    'const [small, ...rooms] = sizes',
    'class A {\n  readonly #telling: number[] = []\n}',
    'const isBehind = true',
    'function behindLoop(): void {}',
    'const standsFirst = 1',
    'interface A {\n  patience?: number\n}',
  ])('is found in %j', (code) => {
    expect(declaredNames(code).flatMap((name) => adviceFor(name, names))).toHaveLength(1)
  })

  it.each(['across', 'left-out', 'link-book', 'fate-fs'])('is found as the name of the file %s', (name) => {
    expect(adviceFor(name, files)).toHaveLength(1)
  })

  it.each([
    "throw new UsageError('The folders lie in each other.')",
    'const help = "Only threads whose id begins like this."',
    'const line = `That is none of the numbers`',
    "const hint = 'Nothing is lost all the same.'",
    "const why = 'It lies outside the folder.'",
    "const next = '`codex resume` goes on with it.'",
  ])('is found in the text of %j', (code) => {
    expect(textsOf(code).flatMap((text) => adviceFor(text, phrases))).toHaveLength(1)
  })

  it.each([
    'const mostly = 1',
    'const teller = 1',
    'const rooftop = 2',
    'const workflow = 3',
    "const a = 'told'",
    'const standsstill = 4',
    '// Room for more',
  ])('is not seen in %j', (code) => {
    expect(declaredNames(code).flatMap((name) => adviceFor(name, names))).toEqual([])
  })
})
