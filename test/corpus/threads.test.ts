/** What holds for every thread of a genuine home. Reading takes longest, so each home is read once for all tests. */
import { describe, it } from 'vitest'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { useGenuineHome } from '../helpers/genuine-home.ts'
import { expectEveryLine } from './accounting.ts'
import { expectScripts } from './code-mode.ts'
import { expectCommands } from './commands.ts'
import { expectFailures } from './failures.ts'
import { expectCodexReading, readAnswers } from './fidelity.ts'
import { expectTokens } from './tokens.ts'

describeWithCorpus('a genuine home', ({ folder, homes, lived }) => {
  describe.each([...homes, ...lived])('$name', (corpusHome) => {
    const home = useGenuineHome(corpusHome)
    const isTwin = lived.includes(corpusHome)
    const answers = isTwin ? [] : readAnswers(folder, corpusHome.name)

    it('is read without loss', () => expectEveryLine(home()))
    it('has the commands of its raw lines', () => expectCommands(home()))
    it('has the failures, programs and searches of its raw lines, and nothing twice', () => expectFailures(home()))
    it('shows every call of its scripts', () => expectScripts(home()))
    it('has the tokens of its raw lines, and each response once', () => expectTokens(home(), { isTwin }))
    if (answers.length > 0) it('is read as Codex reads it', () => expectCodexReading(home(), answers))
  })
})
