import { expect, test } from 'vitest'
import { scriptLine } from '../../../src/render/phrases.ts'

test.each([
  ['npm test', 'npm test'],
  ['\n  npm test\nnpm run build', 'npm test'],
  ["python - <<'PY'\nimport json\nfrom pathlib import Path\n\nprint(total)\nPY", "python - <<'PY' … print(total)"],
  ['cat > a.txt <<EOF\nfirst\nEOF', 'cat > a.txt <<EOF … first'],
  ['python -c "from pathlib import Path\nprint(Path())"', 'python -c "from pathlib import Path … print(Path())"'],
  ["printf '%s\n' 'b' 'a' | sort", "printf '%s⏎' 'b' 'a' | sort"],
  ['git commit -m "Add tax\n\nFor all"', 'git commit -m "Add tax'],
  ['echo "a"\n"$HOME/bin/run"', 'echo "a"'],
  ['python -c "print(1)"', 'python -c "print(1)"'],
  ['node -e "\nconst fs = require(\'fs\')\nfs.rmSync(x)"', 'node -e " … fs.rmSync(x)"'],
  ["@'\nimport os\nimport sys\n'@ | python -", "@' … '@ | python -"],
  ['ssh host <<EOF', 'ssh host <<EOF'],
  ['cat <<EOF\n\n', 'cat <<EOF'],
])('%j is shown as %j', (script, line) => {
  expect(scriptLine(script, 300)).toBe(line)
})

test('a long one is cut', () => {
  expect(scriptLine(`cat <<EOF\n${'x'.repeat(500)}`, 40)).toBe(`cat <<EOF … ${'x'.repeat(27)}…`)
})
