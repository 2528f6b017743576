/** Addresses, topics and keys of a server that give access to whoever knows them. */

import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const token = `${noise(41, 24)}7kQ`
const short = noise(42, 10)
const vapid = noise(43, 43)
const digest = noise(44, 32, '0123456789abcdef')

describe('a secret is redacted', () => {
  test.each([
    ['a code in an address', `https://app.example/back?code=${token}&state=x`, token],
    ['a code behind another field', `https://app.example/back?state=x&code=${token}`, token],
    ['a code in a page', `<a href="https://app.example/back?a=b&amp;code=${token}">`, token],
    ['a token of one letter', `GET /unsubscribe?t=${token} HTTP/1.1`, token],
    ['a key of one letter', `https://app.example/v?k=${token}`, token],
    ['a monitor', `curl "https://status.example/api/push/${short}?status=up&msg=OK"`, short],
    ['a monitor without a state', `https://status.example/api/push/${token}`, token],
    ['a topic', `curl -d done https://ntfy.sh/${token}`, token],
    ['a topic of a command', `ntfy publish --title done ${token} hello`, token],
    ['the key of notifications', `vapid private: ${vapid}`, vapid],
    ['the key of notifications in JSON', `{"vapidPrivate": "${vapid}"}`, vapid],
    ['keys of a map', `map $http_x_api_key $client {\n  default "";\n  "${token}" "one";\n}`, token],
    ['keys of a map in a diff', `+map $api_token $ok {\n+  default 0;\n+  ${token} 1;\n+}`, token],
    ['the end of an exported value', `export DB_PASSWORD=${short}\\\n${token}\nls`, token],
    ['the end of an option', `curl -u ada:${short}\\\n${token} https://app.example`, token],
  ])('%s', (_, text, secret) => {
    expect(redactor().text(text)).not.toContain(secret)
  })
})

describe('nothing is redacted', () => {
  test.each([
    'https://app.example/back?code=invalid_request_from_the_client',
    'https://video.example/watch?t=1h20m30s&k=oil-the-hinge-of-the-lid',
    `https://app.example/main.js?t=${digest}`,
    `https://app.example/v?k=0f1e2d3c-4b5a-4978-8a6b-5c4d3e2f1a0b`,
    'https://app.example/list?t=1762250400000&code=404',
    'const path = `/api/push/notifications`',
    'POST /api/push/subscriptions/list',
    'https://ntfy.sh/announcements and ntfy publish backup-of-the-shop done',
    'vapid private: see the notes of the release about the keys of a page',
    'map $http_upgrade $connection_upgrade {\n  default upgrade;\n  "" close;\n}',
    'map $http_x_api_key $ok {\n  default 0;\n  "replace-with-a-key-of-yours" 1;\n}',
    `map $uri $new { "${token}" 1; }`,
  ])('in %s', (text) => {
    expect(findSecrets(text)).toEqual([])
  })

  test('beyond a backslash that ends a line before an option or another variable', () => {
    for (const next of ['-e NODE_ENV=production', 'NODE_ENV=production'])
      expect(redactor().text(`DB_PASSWORD=${token}\\\n${next}`)).toBe(`DB_PASSWORD=[redacted:named-secret]\\\n${next}`)
  })
})
