import { expect, test } from 'vitest'
import { configDocs } from '../../helpers/config-docs.ts'

test('docs/config.md says what the option table says', async () => {
  await expect(configDocs()).toMatchFileSnapshot('../../../docs/config.md')
})
