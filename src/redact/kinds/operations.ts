/** Token types of monitoring, identity and security. See `kinds.ts` for the columns. */
export const operations = `
newrelic-key | New Relic | user key | NRAK-{a:27} | trufflehog
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
grafana-token | Grafana | API key, older | eyJrIjoi{b:40+} | gitleaks
sentry-token | Sentry | organisation token | sntrys_{B:40+} | gitleaks
sentry-token | Sentry | user token | sntryu_{a:40+} | gitleaks
sentry-token | Sentry | token of an integration | sntryi_{h:40+} | https://docs.sentry.io/account/auth-tokens/
dynatrace-token | Dynatrace | API, platform and OAuth tokens | dt0{c01,s01,s02,s04,s06,s08,s09,s16,g02}.{a:8-24}.{a:64} | gitleaks
honeycomb-key | Honeycomb | ingest and management keys | hc{a,x,b}{i,m}{k,c}_{l:40+} | https://docs.honeycomb.io/get-started/configure/environments/manage-api-keys/
posthog-key | PostHog | personal API key | phx_{d:32+} | trufflehog
posthog-key | PostHog | other keys | ph{s,a,r}_{d:32+} | https://posthog.com/docs/api
axiom-token | Axiom | API token | xaat-{u} | https://axiom.co/docs/reference/tokens
axiom-token | Axiom | personal token | xapt-{u} | https://axiom.co/docs/reference/tokens
rootly-key | Rootly | API key | rootly_{a:40+} | trufflehog
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
coralogix-key | Coralogix | API keys | cx{tp,up,th,us}_{a:28+} | https://coralogix.com/docs/user-guides/account-management/api-keys/api-keys/
pagerduty-token | PagerDuty | OAuth token | pd{us,eu}+_{B:20+} | https://developer.pagerduty.com/docs/app-oauth-token
incident-key | incident.io | API key | ^inc_{h:40+} | https://api-docs.incident.io/
firehydrant-token | FireHydrant | API token | fhb-{h:32} | https://docs.firehydrant.com/docs/api-keys
uptimerobot-key | UptimeRobot | API keys | ^{ur,u,m}{n:6-9}-{h:24} | https://uptimerobot.com/api/
descope-key | Descope | management key | ^K2{a:60+} | https://docs.descope.com/management/m2m-access-keys
recharge-token | Recharge | API token | ^sk_{,test_}{n:1-2}x{n:1}_{x:64} | trufflehog
telnyx-key | Telnyx | API key, older | ^KEY{a:16}{d:38+} | trufflehog
nostr-key | Nostr | secret key | ^nsec1{l:58} | https://github.com/nostr-protocol/nips/blob/master/19.md
cardano-key | Cardano | signing key | ed25519{e,}_sk1{l:50+} | https://github.com/cardano-foundation/CIPs/tree/master/CIP-0005
bitcoin-key | Bitcoin | private key in the wallet's format | ^{5H,5J,5K}{a:49}! | https://en.bitcoin.it/wiki/Wallet_import_format
lnd-macaroon | Lightning Labs | macaroon in hexadecimal digits | 0201036c6e64{h:100+} | https://docs.lightning.engineering/the-lightning-network/l402/macaroons
minisign-key | minisign | secret key | RWRTY0Iy{b:80+} | https://jedisct1.github.io/minisign/
signify-key | signify | secret key | RWRCS{b:100+} | https://man.openbsd.org/signify
tor-key | Tor | key of an onion service | ED25519-V3:{B:80+} | https://spec.torproject.org/control-spec/commands.html
pushbullet-token | Pushbullet | access token | ^o.{a:32}! | https://docs.pushbullet.com/
serverchan-key | ServerChan | send key | ^SCT{n:3-7}T{a:24+} | https://sct.ftqq.com/
webhook | Mattermost | address of an incoming webhook | /hooks/{l:26}! | https://developers.mattermost.com/integrate/webhooks/incoming/
webhook | Rocket.Chat | address of an incoming webhook | /hooks/{a:17-24}/{a:40+} | https://docs.rocket.chat/docs/integrations
webhook | Integromat | address of a webhook | hook.integromat.com/{l:32} | https://www.make.com/en/help/tools/webhooks
webhook | Webex | address of an incoming webhook | webexapis.com/v1/webhooks/incoming/{d:40+} | https://apphub.webex.com/applications/incoming-webhooks-cisco-systems-38054-23307-75252
webhook | Vercel | address that starts a deployment | /v1/integrations/deploy/prj_{a:20-32}/{a:8+} | https://vercel.com/docs/deploy-hooks
webhook | Netlify | address that starts a build | api.netlify.com/build_hooks/{h:24} | https://docs.netlify.com/build/configure-builds/build-hooks/
webhook | Render | address that starts a deployment | api.render.com/deploy/srv-{a:16-24}?key={d:8+} | https://render.com/docs/deploy-hooks
webhook | Cloudflare | address that starts a build | /deploy_hooks/{u} | https://developers.cloudflare.com/pages/configuration/deploy-hooks/
webhook | PagerDuty | address of an integration | events.pagerduty.com/integration/{h:32} | https://developer.pagerduty.com/docs/events-api-v1-overview
webhook | VictorOps | address of an integration | alert.victorops.com/integrations/generic/{n:6-10}/alert/{u} | https://help.victorops.com/knowledge-base/rest-endpoint-integration-guide/
webhook | Healthchecks | address of a check | hc-ping.com/{u} | https://healthchecks.io/docs/http_api/
webhook | Google | private address of a calendar | /private-{h:32}/basic.ics | https://support.google.com/calendar/answer/37648
webhook | Bark | address of a device | api.day.app/{a:20+} | https://bark.day.app/
webhook | Feishu | address of a bot, older | /open-apis/bot/hook/{h:32} | https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
webhook | ThingsBoard | address with a device's token | thingsboard.cloud/api/v1/{a:20} | noseyparker
`
