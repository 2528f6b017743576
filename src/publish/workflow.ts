/** The workflow that makes GitHub Pages serve a folder of a repository, and how ours is told from somebody else's. */
import { sha256 } from '../util/hash.ts'

/** What a workflow depends on. */
export interface WorkflowFacts {
  /** Path of the workflow in its repository. */
  file: string
  /** Path of the site in the repository, with `/`. */
  folder: string
  /** Pushes to this branch publish. */
  branch: string
}

/**
 * A workflow that uploads a folder as it was committed. It runs nothing of the repository and is given no secret; its
 * token can read the repository and deploy pages.
 */
export function pagesWorkflow({ file, folder, branch }: WorkflowFacts): string {
  return `name: Publish sessions

on:
  push:
    branches: [${quoted(branch)}]
    paths: [${quoted(`${folder}/**`)}, ${quoted(file)}]
  workflow_dispatch:

permissions:
  contents: read
  pages: write
  id-token: write

# A deployment that has begun ends; of those that wait, only the newest is made.
concurrency:
  group: pages
  cancel-in-progress: false

jobs:
  deploy:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    environment:
      name: github-pages
      url: \${{ steps.deployment.outputs.page_url }}
    steps:
      - uses: actions/checkout@v5
        with:
          persist-credentials: false
      - uses: actions/configure-pages@v5
      - uses: actions/upload-pages-artifact@v4
        with:
          path: ${quoted(folder)}
      - id: deployment
        uses: actions/deploy-pages@v4
`
}

/** A text as YAML takes it in double quotes, which is how JSON writes it too. */
function quoted(text: string): string {
  return JSON.stringify(text)
}

const sumLine = '# Checksum of the rest: '

/** A text of YAML with a head that says who wrote it and proves that nobody changed it. */
export function signText(text: string): string {
  const note = '# Written by `codex-export publish github-pages`, which replaces it as long as nobody else changed it.'
  return `${note}\n${sumLine}${checksum(text)}\n${text}`
}

/** Whether a text was made by `signText` and not changed since. Line ends of Windows are no change. */
export function isSigned(text: string): boolean {
  const [, sum, ...rest] = text.replaceAll('\r\n', '\n').split('\n')
  return sum === `${sumLine}${checksum(rest.join('\n'))}`
}

function checksum(text: string): string {
  return sha256(text).slice(0, 16)
}
