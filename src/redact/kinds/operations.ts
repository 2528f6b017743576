/** Token types of monitoring, identity and security. See `kinds.ts` for the columns. */
export const operations = `
newrelic-key | New Relic | user key | NRAK-{U:27} | trufflehog
newrelic-key | New Relic | browser key | NRJS-{h:19} | gitleaks
newrelic-key | New Relic | browser key, other | NRBR-{h:19} | trufflehog
newrelic-key | New Relic | insert key | NRII-{d:25+} | noseyparker
newrelic-key | New Relic | query key | NRIQ-{d:25+} | noseyparker
newrelic-key | New Relic | admin key | NRAA-{h:27} | noseyparker
newrelic-key | New Relic | REST key | NRRA-{h:42} | noseyparker
newrelic-key | New Relic | license key | {l:36}NRAL! | noseyparker
newrelic-key | New Relic | license key of another region | eu01xx{h:26-30}{FFFFNRAL,NRAL} | trufflehog
newrelic-key | New Relic | mobile app token | {AA,eu01xx}{h:36-40}-NRMA | trufflehog
pixie-key | Pixie | API and deploy keys | px-{api,dep}-{u} | noseyparker
grafana-token | Grafana | service account token | glsa_{B:32+} | gitleaks
grafana-token | Grafana | cloud token | glc_{B:32+} | gitleaks
grafana-token | Grafana | API key, older | eyJrIjoi{b:60+} | gitleaks
sentry-token | Sentry | organisation token | sntrys_{B:40+} | gitleaks
sentry-token | Sentry | user token | sntryu_{h:40+} | gitleaks
sentry-token | Sentry | token of an integration | sntryi_{h:40+} | https://docs.sentry.io/account/auth-tokens/
dynatrace-token | Dynatrace | API, platform and OAuth tokens | dt0{c01,s01,s02,s04,s06,s08,s09,s16,g02}.{U:8-24}.{U:64} | gitleaks
honeycomb-key | Honeycomb | ingest and management keys | hc{a,x,b}{i,m}{k,c}_{l:40+} | https://docs.honeycomb.io/get-started/configure/environments/manage-api-keys/
posthog-key | PostHog | personal API key | phx_{d:32+} | trufflehog
posthog-key | PostHog | other keys | ph{s,a,r}_{d:32+} | https://posthog.com/docs/api
axiom-token | Axiom | API token | xaat-{u} | https://axiom.co/docs/reference/tokens
axiom-token | Axiom | personal token | xapt-{u} | https://axiom.co/docs/reference/tokens
rootly-key | Rootly | API key | rootly_{h:64} | trufflehog
checkly-key | Checkly | API key | ^cu_{h:32}! | https://www.checklyhq.com/docs/api-reference/overview/
segment-token | Segment | public API token | sgp_{a:64} | kingfisher
fullstory-key | FullStory | API key | {na1,eu1}.{b:90+} | kingfisher
ory-token | Ory | API keys | ory_{pat,apikey,st,at,rt,ac}_{d:20+} | https://www.ory.sh/docs/concepts/personal-access-token
workos-key | WorkOS | API key | sk_{live,test}_a2V5{B:20+} | https://workos.com/docs/reference/api-keys
clerk-key | Clerk | secret key | sk_{live,test}_{a:40+} | https://clerk.com/docs/deployments/clerk-environment-variables
stytch-secret | Stytch | secret | secret-{test,live}-{B:36+} | https://stytch.com/docs/api/authentication
highnote-key | Highnote | key of live mode | {sk,rk}_{live,test}_{B:40+} | betterleaks
trufflehog-key | TruffleHog | enterprise secret | thog-secret-{h:32} | trufflehog
proof-key | Proof | API key | ^prf_{cli_,}{d:20+} | betterleaks
gemini-exchange-key | Gemini | key of the exchange | ^{account,master}-{a:20} | trufflehog
ebay-secret | eBay | client secret | {PRD,SBX}-{h:12}-{h:4}-{h:4}-{h:4}-{h:4} | https://developer.ebay.com/api-docs/static/creating-edp-account.html
finage-key | Finage | API key | API_KEY{U:32} | trufflehog
dfuse-key | dfuse | API key | ^web_{l:32}! | kingfisher
nylas-key | Nylas | API key | nyk_v0_{a:60+} | https://developer.nylas.com/docs/v3/auth/
jumpcloud-key | JumpCloud | API key | jca_{a:36+} | https://jumpcloud.com/support/generate-a-new-api-key
tableau-token | Tableau | personal access token | {b:22}==:{a:32} | trufflehog
`
