/** A new configuration file names the zone of the system, and what is not one is reported. */
import { expect, test } from 'vitest'
import { zoneOfSystem } from '../../../src/features/setup/command.ts'

test.each([
  [undefined, 'Europe/Berlin', 'Europe/Berlin'],
  ['Europe/Rome', 'Europe/Rome', 'Europe/Rome'],
  [':Europe/Rome', 'Europe/Rome', 'Europe/Rome'],
  ['EST5EDT', 'America/New_York', 'America/New_York'],
  ['/usr/share/zoneinfo/Europe/Rome', undefined, 'Europe/Rome'],
  ['', 'Etc/Unknown', 'UTC'],
  [undefined, undefined, 'UTC'],
])('with TZ=%j and the runtime in %j it is %j', (variable, runtime, timeZone) => {
  expect(zoneOfSystem({ variable, runtime })).toEqual({ timeZone })
})

test.each([
  ['Mars/Phobos', undefined],
  ['Mars/Phobos', 'UTC'],
  ['CET-1CEST', 'UTC'],
  [':/etc/localtime', undefined],
])('TZ=%j names no zone', (variable, runtime) => {
  expect(zoneOfSystem({ variable, runtime })).toEqual({ timeZone: 'UTC', unknown: variable })
})
