// Generates the JSON Schema of the transcript tree (`show --format json`, `index.json` of a site) from its types.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** Modules that declare the tree, below `src`. */
const modules = ['rollout/terms.ts', 'transcript/trast.ts']

/** Types that are declared in another package: positions of unist (https://github.com/syntax-tree/unist#position). */
const foreign = {
  Position: {
    type: 'object',
    properties: { start: { $ref: '#/$defs/Point' }, end: { $ref: '#/$defs/Point' } },
    required: ['start', 'end'],
  },
  Point: {
    type: 'object',
    properties: { line: { type: 'integer' }, column: { type: 'integer' }, offset: { type: 'integer' } },
    required: ['line', 'column'],
  },
}

/** Types that are a keyword of TypeScript. */
const keywords = {
  TSStringKeyword: { type: 'string' },
  TSNumberKeyword: { type: 'number' },
  TSBooleanKeyword: { type: 'boolean' },
  TSUnknownKeyword: {},
}

/** Types that plugins may add keys to. */
const open = new Set(['Data'])

/** Every interface and type of a module by its name, with the comment before it. */
function declarationsOf(text) {
  const program = parseAst(text, { lang: 'ts' })
  const found = program.body.map((node) => ({ node: node.declaration ?? node, start: node.start }))
  return found
    .filter(({ node }) => /^TS(?:Interface|TypeAlias)Declaration$/.test(node.type))
    .map(({ node, start }) => [node.id.name, { node, text, description: commentBefore(text, start) }])
}

/** The documentation that ends where something begins, as one line. */
function commentBefore(text, start) {
  const [, comment] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, start)) ?? []
  return comment
    ?.split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trim())
    .join(' ')
    .trim()
}

/**
 * The schema of a transcript document. It allows keys that it does not know, as later versions may add some; with `isClosed`
 * it does so only where plugins may add them. Throws for a type that it cannot express.
 */
export function transcriptSchema(src, { isClosed = false } = {}) {
  const declarations = new Map(modules.flatMap((name) => declarationsOf(readFileSync(join(src, name), 'utf8'))))
  const used = new Map(Object.entries(foreign))

  /** Properties of an interface: its ancestors' first. */
  function membersOf(name) {
    const { node, text } = declarations.get(name)
    const inherited = (node.extends ?? []).flatMap(({ expression }) => membersOf(expression.name))
    return [...inherited, ...node.body.body.map((member) => ({ member, text }))]
  }

  function objectOf(members, isOpen) {
    const properties = new Map()
    const required = new Set()
    for (const { member, text } of members) {
      const { name } = member.key
      const description = commentBefore(text, member.start)
      properties.set(name, { ...(description && { description }), ...schemaOf(member.typeAnnotation.typeAnnotation) })
      if (!member.optional) required.add(name)
    }
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.size > 0 && { required: [...required] }),
      ...(isClosed && !isOpen && { additionalProperties: false }),
    }
  }

  /** A named type as a reference; it is declared on first use. */
  function reference(name) {
    if (!used.has(name)) {
      const { node, description } = declarations.get(name)
      used.set(name, {})
      const isInterface = node.type === 'TSInterfaceDeclaration'
      const schema = isInterface ? objectOf(membersOf(name), open.has(name)) : schemaOf(node.typeAnnotation)
      used.set(name, { ...(description && { description }), ...schema })
    }
    return { $ref: `#/$defs/${name}` }
  }

  function schemaOf(node) {
    if (keywords[node.type] !== undefined) return keywords[node.type]
    switch (node.type) {
      case 'TSLiteralType':
        return { const: node.literal.value }
      case 'TSArrayType':
        return { type: 'array', items: schemaOf(node.elementType) }
      case 'TSTypeOperator': // `readonly T[]`
      case 'TSParenthesizedType':
        return schemaOf(node.typeAnnotation)
      case 'TSTypeLiteral':
        return objectOf(
          node.members.map((member) => ({ member, text: '' })),
          false,
        )
      case 'TSUnionType': {
        const kinds = node.types.map(schemaOf)
        return kinds.every((kind) => 'const' in kind) ? { enum: kinds.map((kind) => kind.const) } : { anyOf: kinds }
      }
      // `Map[keyof Map]`: any of its values.
      case 'TSIndexedAccessType':
        return {
          anyOf: membersOf(node.objectType.typeName.name).map(({ member }) =>
            schemaOf(member.typeAnnotation.typeAnnotation),
          ),
        }
      case 'TSTypeReference': {
        const { name } = node.typeName
        if (name === 'Record') return { type: 'object', additionalProperties: schemaOf(node.typeArguments.params[1]) }
        if (foreign[name] !== undefined) return { $ref: `#/$defs/${name}` }
        return reference(name)
      }
      default:
        throw new Error(`${node.type} has no form in a schema`)
    }
  }

  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Transcript of a Codex session',
    type: 'object',
    properties: {
      schema: { const: 'codex-export/transcript' },
      version: {
        const: 1,
        description: 'Grows when a field changes its meaning or goes; new fields leave it as it is.',
      },
      generator: { type: 'string' },
      session: reference('Session'),
    },
    required: ['schema', 'version', 'generator', 'session'],
    ...(isClosed && { additionalProperties: false }),
    $defs: Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
