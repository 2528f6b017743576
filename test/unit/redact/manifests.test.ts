/**
 * Values of Kubernetes secrets in manifests, lists and outputs of commands: they are redacted, their surroundings are
 * not.
 */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { manifestRules } from '../../../src/redact/rules/manifests.ts'
import { redactStrings } from '../../../src/redact/strings.ts'
import { noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)
const value = `${noise(1001, 6)}4x${noise(1002, 6)}`
const encoded = Buffer.from(value).toString('base64')

/** `‹›` is the place of a plain value, `«»` that of an encoded one. */
const rows: readonly (readonly [what: string, text: string])[] = [
  ['a manifest', 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  db: «»\ntype: Opaque\n'],
  ['a manifest whose kind comes last', 'apiVersion: v1\ndata:\n  db: «»\nkind: Secret\nmetadata:\n  name: db\n'],
  ['plain values', 'kind: Secret\nstringData:\n  db: "‹›" # rotate\n'],
  ['a value of several lines', 'kind: Secret\nstringData:\n  app.conf: |\n    url: x\n    pw: ‹›\ntype: Opaque\n'],
  ['a folded value', 'kind: Secret\ndata:\n  db: >-\n    «»\n'],
  ['a list', 'items:\n- apiVersion: v1\n  data:\n    db: «»\n  kind: Secret\n  metadata:\n    name: db\n- kind: Pod\n'],
  ['several documents', 'kind: Service\n---\nkind: Secret\ndata:\n  db: «»\n---\nkind: Pod\n'],
  ['a diff', ' kind: Secret\n stringData:\n+  db: ‹›\n type: Opaque\n'],
  ['numbered lines', '     1\tkind: Secret\r\n     2\tdata:\r\n     3\t  db: «»\r\n     4\ttype: Opaque\r\n'],
  ['a flow', 'kind: Secret\nstringData: {db: ‹›, a: b}\n'],
  ['JSON on one line', '{"apiVersion":"v1","data":{"db":"«»"},"kind":"Secret","metadata":{"name":"db"}}'],
  ['JSON', '{\n  "kind": "Secret",\n  "metadata": {"a": ["}", "\\"{"]},\n  "stringData": {\n    "db": "‹›"\n  }\n}'],
  ['JSON in JSON', String.raw`{"last": "{\"data\":{\"db\":\"«»\"},\"kind\":\"Secret\"}"}`],
]

describe.each(rows)('a Kubernetes secret in %s', (_, row) => {
  test('loses its value and keeps what is around it', () => {
    const [before = '', after = ''] = row.split(/‹›|«»/)
    const own = row.includes('‹›') ? value : encoded
    const text = redacted(before + own + after)
    expect(text).not.toContain(own)
    expect(text.startsWith(before.split('\n    url')[0] ?? '') && text.endsWith(after)).toBe(true)
  })
})

test('a value that was found encoded is then known as plain text, too', () => {
  const { text, beginPassage: passage } = redactor()
  passage('page')
  text(`kind: Secret\ndata:\n  db: ${encoded}\n`)
  expect(text(`I tried ${value} then`)).toBe('I tried [redacted:typed-secret] then')
})

test('the line after an empty first one is read only once', () => {
  const [rule] = manifestRules
  const text = `\ndata: {db: ${encoded}}\nkind: Secret\n`
  expect(rule?.read?.(text, text.indexOf('kind'))).toHaveLength(1)
})

test('an encoded address with a password in it is redacted', () => {
  const address = Buffer.from(`postgres://app:${value}@db/app`).toString('base64')
  expect(redacted(`kind: Secret\ndata:\n  url: ${address}\n`)).not.toContain(address)
})

test.each([
  'kind: Secret\ndata:\n  username: YWRtaW4=\n',
  `kind: Secret\nstringData:\n  db: \${DB}\n  a: <your-value>\n  b: changeme\n  c: {{ .Values.c | b64enc }}\n  port: "5432"\n`,
  'kind: Secret\nstringData:\n  url: https://git.internal/shop/app\n  path: /srv/shop\n',
  `kind: ConfigMap\ndata:\n  db: ${encoded}\n`,
  `kind: SecretStore\ndata:\n  db: ${encoded}\n`,
  `items:\n- data:\n    a: ${encoded}\n  kind: ConfigMap\n- data:\n  kind: Secret\n`,
  `{"items":[{"data":{"a":"${encoded}"},"kind":"ConfigMap"},{"kind":"Secret"}]}`,
  `kind: Secret\ndata:\n  db: ENC[AES256_GCM,data:${encoded},type:str]\n`,
])('nothing is redacted in %j', (text) => {
  expect(redacted(text)).toBe(text)
})

const printed = (script: string, output: string): string => {
  const node = { type: 'command', script, children: [{ type: 'output', value: output }] }
  redactStrings(node, redactor())
  return node.children[0]?.value ?? ''
}

test.each([
  [
    "kubectl get secret db -o go-template='{{range $k, $v := .data}}{{$k}}: {{$v | base64decode}}{{end}}'",
    'db: ‹›\nx: 1',
  ],
  ['kubectl -n shop get secrets db -oyaml | head -4', 'apiVersion: v1\ndata:\n  db: «»\n  x: y'],
  ['kubectl get secret db -o json | jq .data', '{\n  "db": "«»",\n  "x": "y"\n}'],
  ['oc extract secret/db --to=-', '# db\n‹›\n'],
  ['vault kv get secret/shop', '=== Data ===\nKey    Value\n---    -----\ndb     ‹›\n'],
])('the values in what `%s` prints are redacted', (script, row) => {
  const own = row.includes('‹›') ? value : encoded
  const [before = '', after = ''] = row.split(/‹›|«»/)
  expect(printed(script, before + own + after)).toBe(`${before}[redacted:named-secret]${after}`)
})

test('the rest of what such a command prints is not redacted', () => {
  const uuid = [8, 4, 4, 4, 12].map((length, at) => noise(1010 + at, length, '0123456789abcdef')).join('-')
  const rest = `kind: Pod\n  creationTimestamp: "2026-01-01T10:00:00Z"\n    chart: app-1.2.3\n  uid: ${uuid}\n  resourceVersion: "123456"\n`
  expect(printed('kubectl get secret db -o yaml', rest)).toBe(rest)
})
