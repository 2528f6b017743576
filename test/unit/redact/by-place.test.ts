/** Secrets of no form of their own: what stands around them tells. */
import { expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)
const value = `${noise(701, 7)}3${noise(702, 6)}`

test.each([
  '====== Data ======\nKey      Value\n---      -----\nstripe   ‹›\n',
  'Key                 Value\n---                 -----\nusername            ada\nvalue               ‹›',
  "echo -n 'ada:‹›' | base64",
  "printf '%s' ada:‹› | base64 -w0",
  "printf '%s\\n%s\\n' ‹› ‹› | passwd ada",
  `printf '%s\\n' "‹›" "‹›" | sudo passwd ada`,
  "read -rsp 'Password: ' PASS <<< ‹›",
  'initdb -D data --pwfile=<(echo ‹›)',
  "kubectl get secret db -o jsonpath='{.data.pw}' | base64 -d\n‹›\n",
  'security find-generic-password -s shop -w\n‹›',
])('goes from %j', (row) => {
  const text = redacted(row.replaceAll('‹›', value))
  expect(text).not.toContain(value)
  expect(text.replaceAll(/\[redacted:[^\]]+\]/g, '‹›')).toBe(row)
})

test.each([
  `====== Metadata ======\nKey                Value\n---                -----\ncreated_time       2026-01-02T03:04:05.678Z\nnonce              ${value}\n`,
  'Key      Value\n---      -----\nvalue    production\n',
  "echo -n 'hello:worlds' | base64",
  `echo -n 'ada:${value}' | tr a-z A-Z`,
  "printf '%s\\n%s\\n' first-line second-line | sort",
  `read -r LINE <<< name-${value.slice(0, 3)}`,
  'diff --file=<(echo one-of-two) b',
  "kubectl get secret db -o jsonpath='{.data.pw}' | base64 -d\ndone",
  `kubectl get secrets -o name\nsecret/db-${value}`,
])('leaves %j', (text) => {
  expect(redacted(text)).toBe(text)
})
