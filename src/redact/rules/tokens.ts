/** Tokens that tell by their beginning what they are. */
import { type Rule, tokenPattern } from '../rule.ts'
import { isRandom } from '../values.ts'

const alnum = 'A-Za-z0-9'
const word = 'A-Za-z0-9_'
const dashed = 'A-Za-z0-9_\\-'
const base64 = 'A-Za-z0-9+/=_\\-'
const hex = '0-9a-f'

/** Id, literal beginnings, characters of the body, its least length. */
type Row = readonly [id: string, prefixes: readonly string[], chars: string, min: number]

const rows: readonly Row[] = [
  ['anthropic-key', ['sk-ant-'], dashed, 20],
  ['openrouter-key', ['sk-or-'], dashed, 20],
  ['openai-key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-', 'sk-'], dashed, 20],
  ['huggingface-token', ['hf_'], alnum, 30],
  ['xai-key', ['xai-'], alnum, 32],
  ['groq-key', ['gsk_'], alnum, 32],
  ['perplexity-key', ['pplx-'], alnum, 32],
  ['replicate-token', ['r8_'], alnum, 32],
  ['nvidia-key', ['nvapi-'], dashed, 40],
  ['fireworks-key', ['fw_'], alnum, 22],
  ['langsmith-key', ['lsv2_pt_', 'lsv2_sk_'], word, 32],
  ['google-key', ['AIza'], dashed, 35],
  ['google-oauth', ['GOCSPX-'], dashed, 24],
  ['google-oauth', ['ya29.'], dashed, 30],
  ['github-token', ['ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_'], alnum, 30],
  ['github-token', ['github_pat_'], word, 36],
  [
    'gitlab-token',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'gloas-', 'glft-', 'glsoat-', 'glagent-', 'glimt-'],
    `${dashed}.`,
    20,
  ],
  ['bitbucket-token', ['ATBB'], alnum, 28],
  ['atlassian-token', ['ATATT3', 'ATCTT3'], base64, 60],
  ['npm-token', ['npm_'], alnum, 36],
  ['pypi-token', ['pypi-'], dashed, 50],
  ['rubygems-token', ['rubygems_'], hex, 48],
  ['cargo-token', ['cio'], alnum, 32],
  ['docker-token', ['dckr_pat_', 'dckr_oat_'], dashed, 27],
  ['nuget-key', ['oy2'], 'a-z0-9', 43],
  ['artifactory-token', ['AKCp'], alnum, 60],
  ['digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], hex, 64],
  ['fly-token', ['fo1_', 'fm1r_', 'fm2_'], base64, 40],
  ['heroku-key', ['HRKU-'], dashed, 36],
  ['netlify-token', ['nfp_', 'nfc_'], alnum, 36],
  ['supabase-token', ['sbp_', 'sb_secret_'], dashed, 28],
  ['planetscale-token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], `${dashed}.`, 32],
  ['databricks-token', ['dapi'], `${hex}\\-`, 32],
  ['vault-token', ['hvs.', 'hvb.', 'hvr.'], dashed, 24],
  ['pulumi-token', ['pul-'], hex, 40],
  ['doppler-token', ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'], `${dashed}.`, 40],
  ['onepassword-token', ['ops_eyJ'], base64, 100],
  ['age-key', ['AGE-SECRET-KEY-1'], 'A-Z0-9', 50],
  ['slack-token', ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxc-', 'xoxd-', 'xapp-'], `${dashed}.%`, 20],
  ['stripe-key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], alnum, 16],
  ['stripe-key', ['whsec_'], base64, 24],
  ['sendgrid-key', ['SG.'], `${dashed}.`, 50],
  ['shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], 'a-fA-F0-9', 32],
  ['square-token', ['sq0atp-', 'sq0csp-'], dashed, 22],
  ['newrelic-key', ['NRAK-', 'NRJS-', 'NRII-'], dashed, 19],
  ['grafana-token', ['glsa_', 'glc_'], base64, 32],
  ['sentry-token', ['sntrys_', 'sntryu_'], base64, 40],
  ['postman-key', ['PMAK-'], `${hex}\\-`, 40],
  ['linear-key', ['lin_api_', 'lin_oauth_'], alnum, 32],
  ['notion-token', ['ntn_'], alnum, 40],
  ['figma-token', ['figd_', 'figo_', 'figu_'], dashed, 36],
  ['typeform-token', ['tfp_'], dashed, 40],
  ['brevo-key', ['xkeysib-'], dashed, 60],
  ['mapbox-token', ['sk.eyJ'], `${dashed}.`, 40],
]

/** Prefixes that words end with, too: `task-`, `half_`. */
const wordEnds = /^(?:sk-|hf_|r8_|fw_|cio|oy2|npm_|pul-|dapi|xai-|SG|ATBB)/

/** One rule for each row: a beginning and a body that looks random. */
export const tokenRules: readonly Rule[] = rows.map(([id, prefixes, chars, min]) => {
  const before = prefixes.some((prefix) => wordEnds.test(prefix)) ? '(?<![A-Za-z0-9_-])' : ''
  const literals = prefixes.map((prefix) => prefix.replace(/[.]/g, '\\.')).join('|')
  const body = new RegExp(`^(?:${literals})`)
  return {
    id,
    anchors: prefixes,
    pattern: tokenPattern(`${before}(?:${literals})`, chars, min),
    isSecret: (value) => isRandom(value.replace(body, '')),
    wraps: true,
  }
})
