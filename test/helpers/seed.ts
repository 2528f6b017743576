/** Gives all properties the seed in `CODEX_EXPORT_TEST_SEED`, so that runs of the same commit have the same result. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['CODEX_EXPORT_TEST_SEED']) })
