/** Gives all properties the seed that `CODEX_EXPORT_TEST_SEED` names, so that a run says of a commit what the next one will. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['CODEX_EXPORT_TEST_SEED']) })
