import { expect, test } from 'vitest'
import { configDocs } from '../../helpers/config-docs.ts'

test('docs/config.md agrees with the option table', async () => {
  await expect(configDocs()).toMatchFileSnapshot('../../../docs/config.md')
})
