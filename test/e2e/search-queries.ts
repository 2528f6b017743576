/** Queries over the sample archive, and the session that they mean: its title starts with `title`. */
export interface Query {
  text: string
  title: string
  filters?: Record<string, string>
  sort?: 'date'
  /** A text that the line of the best place must contain. */
  says?: string
}

const words: Query[] = [
  { text: 'idempotency', title: 'Conversion drops in week 7', says: 'idempotency key' },
  { text: 'certificates end this year', title: 'Which certificates end this year' },
  { text: 'wish list without account', title: 'A wish list that works' },
  { text: 'vouchers rounded twice', title: 'Vouchers are rounded twice' },
  { text: 'tide curves harbour', title: 'Tide curves on every harbour page' },
  { text: 'lost connection ferry copy', title: 'ferry copy starts from zero' },
  { text: 'logged out after ten minutes', title: 'People are logged out' },
  { text: 'holidays', title: 'Add a page about holidays' },
  { text: 'stolen laptop', title: 'What should one do with a stolen laptop' },
  { text: 'leap day tide february', title: '29 February has no tide' },
  { text: 'self-pointing link hangs', title: 'A link that points to itself' },
  { text: 'bandwidth token bucket', title: 'Limit the bandwidth' },
  { text: 'clock off by four seconds', title: 'emerald' },
  { text: 'proxy logs collector', title: 'Send the proxy logs' },
  { text: 'lock nobody holds', title: 'The deploy waits for a lock' },
  { text: 'phone number mandatory', title: 'Conversion drops in week 7' },
  { text: 'forgotten debugger port', title: 'List every open port' },
  { text: 'VAT', title: 'Where do we add VAT' },
  { text: 'CRLF', title: 'A file with CRLF' },
  { text: 'renewing certificates', title: 'Which certificates end this year' },
  { text: 'currency column', title: 'The order export has no currency column' },
  { text: 'largest range', title: 'Which harbour has the largest range' },
  { text: 'abbreviation meaning', title: 'Glossary' },
]

const code: Query[] = [
  { text: 'goes_on_after_a_cut', title: 'Why is the test goes_on_after_a_cut flaky' },
  { text: 'after_a_cut', title: 'Why is the test goes_on_after_a_cut flaky' },
  { text: 'doTheThing', title: 'Find a better name for doTheThing' },
  { text: 'TheThing', title: 'Find a better name for doTheThing' },
  { text: 'dothething', title: 'Find a better name for doTheThing' },
  { text: 'withVat(cents', title: 'Where do we add VAT' },
  { text: 'Vat(cents', title: 'Where do we add VAT' },
  { text: 'left-trim', title: 'Which of our dependencies' },
  { text: 'unwrap()', title: 'List every unwrap' },
  { text: '--exclude', title: 'Add --exclude with globs' },
  { text: '--limit', title: 'Limit the bandwidth' },
  { text: '--exclude globs', title: 'Add --exclude with globs' },
  { text: 'E0502', title: 'ferry copy starts from zero', says: 'E0502' },
  { text: 'error[E0502]', title: 'ferry copy starts from zero', says: 'E0502' },
  { text: 'cannot borrow self.journal as mutable', title: 'ferry copy starts from zero' },
  { text: 'AssertionError expected 849.15', title: 'A discount of 15 %' },
  { text: 'could not compile ferry', title: 'ferry copy starts from zero' },
  { text: 'systemctl restart proxy', title: 'Inventory of all hosts' },
  { text: 'pdftotext', title: 'Read the printed table of Far Skerry' },
  { text: 'git show 0c2be77', title: 'Conversion drops in week 7' },
  { text: '4410fd2', title: 'Conversion drops in week 7' },
  { text: 'fsync', title: 'How fast is a copy of 10,000 small files' },
]

const paths: Query[] = [
  { text: 'src/voucher.ts', title: 'Vouchers are rounded twice', says: 'voucher.ts' },
  { text: '/srv/checkout-of-somebody/voucher.ts', title: 'Vouchers are rounded twice', says: 'voucher.ts' },
  { text: 'voucher.ts', title: 'Vouchers are rounded twice', says: 'voucher.ts' },
  { text: '/home/sam/code/shop/src/voucher.ts', title: 'Vouchers are rounded twice' },
  { text: 'stock-badge.tsx', title: 'Explain how the stock badge' },
  { text: 'article.tsx', title: 'Show a badge' },
  { text: 'public/favicon.png', title: 'Plan how we replace the logo' },
  { text: 'db/004_constituents.sql', title: 'Tide curves on every harbour page' },
  { text: 'constituents.sql', title: 'Tide curves on every harbour page' },
  { text: 'first-night.md', title: 'On-call guide' },
  { text: 'journal.rs:112', title: 'List every unwrap' },
  { text: 'src/mmap.rs', title: 'List every unsafe block' },
  { text: 'proc/loadavg', title: 'Inventory of all hosts' },
  { text: 'status.example.com', title: 'Find dead links' },
]

const phrases: Query[] = [
  { text: '"a lock that nobody holds"', title: 'The deploy waits for a lock' },
  { text: '"one sync a folder"', title: 'One sync a folder' },
  { text: '"phone number optional"', title: 'Conversion drops in week 7' },
  { text: '"token bucket"', title: 'Limit the bandwidth', says: 'token bucket' },
  { text: '"the second paragraph was right"', title: 'The page about expenses' },
  { text: 'deploy "nobody holds"', title: 'The deploy waits for a lock', says: 'nobody holds' },
]

const languages: Query[] = [
  { text: 'Begrüßung', title: 'Übersetze die Begrüßung' },
  { text: '"die Begrüßung ins"', title: 'Übersetze die Begrüßung', says: 'Begrüßung' },
  { text: 'Übe', title: 'Übersetze die Begrüßung', says: 'Übersetze' },
  { text: 'begrussung ukrainische', title: 'Übersetze die Begrüßung' },
  { text: '丁寧', title: 'Übersetze die Begrüßung', says: '丁寧' },
  { text: '短くて', title: 'Übersetze die Begrüßung' },
  { text: 'わからないこと', title: 'Übersetze die Begrüßung' },
  { text: '"何でも聞いて"', title: 'Übersetze die Begrüßung' },
  { text: '漢字', title: 'Wide characters break the cursor' },
  { text: 'Українська', title: 'Übersetze die Begrüßung' },
  { text: 'العربية', title: 'Übersetze die Begrüßung' },
]

const typos: Query[] = [
  { text: 'certifcates', title: 'Which certificates end this year' },
  { text: 'idempotncy', title: 'Conversion drops in week 7' },
  { text: 'vuocher', title: 'Vouchers are rounded twice' },
  { text: 'harbuor range', title: 'Which harbour has the largest range' },
  { text: 'invntory hosts', title: 'Inventory of all hosts' },
]

const narrowed: Query[] = [
  { text: 'search', title: 'Sort the search results by price', filters: { project: 'shop' } },
  { text: 'search', title: 'Search as one types', filters: { project: 'notes' } },
  { text: 'backup', title: 'Why did the backup of last night fail', filters: { project: 'infra' }, sort: 'date' },
  { text: 'two', title: 'Renew what ends within 30 days', filters: { branch: 'chore/renew' } },
  { text: 'unsafe', title: 'List every unsafe block', filters: { project: 'ferry' } },
]

/** All queries, by topic. */
export const queries: Record<string, Query[]> = { words, code, paths, phrases, languages, typos, narrowed }
