/**
 * The table of token types: one row for each type that a vendor issues under its own name. A prefix that varies for tests or for
 * another region gets no row of its own. Columns, between bars: the rule's id, which appears in marks; the vendor; what the token
 * is; its form (see `form.ts`); the source, which is an address or the name of a public list of forms. The lists were read on the
 * day of `checked`. A vendor's address shows where the form is documented; that page was not compared with the row on that day.
 */

import type { PatternRule } from '../rule.ts'
import { business, clouds, operations } from './clouds.ts'
import { ruleOf } from './form.ts'

/** One type of token. */
export interface Kind {
  id: string
  vendor: string
  what: string
  form: string
  /** Address of the vendor's document, or of a public list that describes the form. */
  source: string
}

/** The day on which forms from public lists were compared with those lists. */
export const checked = '2026-11-22'

const lists: Readonly<Record<string, string>> = {
  betterleaks: 'https://github.com/betterleaks/betterleaks/blob/6381fa4/config/betterleaks.toml',
  gitleaks: 'https://github.com/gitleaks/gitleaks/blob/b58d3f1/config/gitleaks.toml',
  kingfisher: 'https://github.com/mongodb/kingfisher/tree/ee7c0db/data/rules',
  noseyparker:
    'https://github.com/praetorian-inc/noseyparker/tree/2e6e7f3/crates/noseyparker/data/default/builtin/rules',
  trufflehog: 'https://github.com/trufflesecurity/trufflehog/tree/3ab759f/pkg/detectors',
}

/** Token types of forges, package registries, builds and tools for developers. */
const code = `
github-token | GitHub | personal access token | ghp_{a:36} | https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
github-token | GitHub | fine-grained personal access token | github_pat_{w:36+} | https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
github-token | GitHub | OAuth access token | gho_{a:36} | https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
github-token | GitHub | user access token of an app | ghu_{a:36} | https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
github-token | GitHub | installation access token of an app | ghs_{a:36} | https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
github-token | GitHub | stateless installation access token | ghs_{n:1-12}_eyJ{o:60+} | https://github.blog/changelog/2026-05-15-github-app-installation-tokens-per-request-override-header/
github-token | GitHub | refresh token of an app | ghr_{a:30+} | https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
gitlab-token | GitLab | personal access token | glpat-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | OAuth application secret | gloas-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | deploy token | gldt-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | runner authentication token | glrt-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | runner authentication token, registered | glrtr-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | CI job token | glcbt-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | pipeline trigger token | glptt-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | feed token | glft-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | incoming mail token | glimt-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | agent token for Kubernetes | glagent-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | workspace token | glwt-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | SCIM token | glsoat-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | feature flags client token | glffct-{o:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | runner registration token | GR1348941{d:20+} | https://docs.gitlab.com/security/tokens/
gitlab-token | GitLab | session cookie | _gitlab_session={l:32} | gitleaks
bitbucket-token | Bitbucket | app password | ATBB{B:24+} | noseyparker
bitbucket-token | Bitbucket | HTTP access token of a data center | BBDC-{B:40+} | trufflehog
atlassian-token | Atlassian | API token | ATATT3{B:60+} | noseyparker
atlassian-token | Atlassian | API token of a service account | ATSTT3{B:60+} | https://support.atlassian.com/user-management/docs/manage-api-tokens-for-service-accounts/
atlassian-token | Atlassian | access token of a repository | ATCTT3{B:60+} | trufflehog
npm-token | npm | access token | npm_{a:36+} | https://docs.npmjs.com/about-access-tokens
pypi-token | PyPI | API token | pypi-{d:50+} | https://pypi.org/help/#apitoken
rubygems-token | RubyGems | API key | rubygems_{l:42+} | https://guides.rubygems.org/api-key-scopes/
cargo-token | crates.io | API token | ^cio{a:32} | noseyparker
docker-token | Docker | personal access token | dckr_pat_{d:27+} | trufflehog
docker-token | Docker | organisation access token | dckr_oat_{d:27+} | trufflehog
docker-swarm | Docker | join token of a swarm | SWMTKN-1-{l:40-64}-{l:24+} | https://docs.docker.com/engine/swarm/swarm-mode/
docker-swarm | Docker | unlock key of a swarm | SWMKEY-1-{b:40+} | https://docs.docker.com/engine/swarm/swarm_manager_locking/
nuget-key | NuGet | API key | ^oy2{l:43} | noseyparker
artifactory-token | JFrog | API key | AKCp{a:60+} | gitleaks
artifactory-token | JFrog | reference token | cmVmd{a:55+} | trufflehog
clojars-token | Clojars | deploy token | CLOJARS_{l:60} | gitleaks
cloudsmith-key | Cloudsmith | API key | csa_{a:36} | betterleaks
packagist-token | Private Packagist | token | packagist_{ort,out,ack,uut}_{h:40+} | https://packagist.com/docs/api-authentication
readme-key | ReadMe | API key | rdme_{l:60+} | gitleaks
postman-key | Postman | API key | PMAK-{d:40+} | gitleaks
postman-key | Postman | collection access key | PMAT-{U:26} | https://learning.postman.com/docs/developer/postman-api/authentication/
sourcegraph-token | Sourcegraph | access token | sgp_{x:16}_{x:40} | gitleaks
sourcegraph-token | Sourcegraph | access token of a local instance | sgp_local_{x:40} | gitleaks
sourcegraph-token | Sourcegraph | access token, older | sgp_{x:40} | gitleaks
sourcegraph-token | Sourcegraph | Cody gateway key | slk_{x:64} | kingfisher
circleci-token | CircleCI | personal token | CCIPAT_{a:20-24}_{l:40} | trufflehog
circleci-token | CircleCI | project token | CCIPRJ_{a:20-24}_{l:40} | https://circleci.com/docs/managing-api-tokens/
buildkite-token | Buildkite | API access token | bkua_{l:40+} | kingfisher
buildkite-token | Buildkite | agent and other service tokens | bk{aa,aj,ar,ct,pt,pat}_{d:60+} | betterleaks
octopus-key | Octopus Deploy | API key | ^API-{U:26} | gitleaks
harness-token | Harness | personal and service account tokens | {pat,sat}.{d:22}.{a:24}.{a:20} | gitleaks
teamcity-token | TeamCity | access token | eyJ0eXAiOiAiVENWMiJ9.{d:36}.{d:48} | noseyparker
scalingo-token | Scalingo | API token | tk-us-{d:40+} | gitleaks
infracost-key | Infracost | API key | ico-{a:32} | gitleaks
sonar-token | SonarQube | user token | squ_{a:40} | https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/
sonar-token | SonarQube | project analysis token | sqp_{a:40} | https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/
sonar-token | SonarQube | global analysis token | sqa_{a:40} | https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/
sonar-token | SonarQube Cloud | scoped organisation token | sqco_{a:50+} | trufflehog
snyk-token | Snyk | OAuth and personal access tokens | snyk_{uat,sat}.{h:8}.{o:30+} | https://docs.snyk.io/snyk-api/authentication-for-api
stackhawk-key | StackHawk | API key | hawk.{d:20}.{d:20} | noseyparker
dependency-track-key | Dependency-Track | API key | odt_{a:32+} | noseyparker
aikido-token | Aikido | CI token | AIK_CI_{a:20+} | betterleaks
aikido-token | Aikido | client secret | AIK_SECRET_{a:60+} | betterleaks
endor-key | Endor Labs | API key | endr+{d:16} | betterleaks
prefect-key | Prefect | API key | pnu_{a:36} | gitleaks
prefect-key | Prefect | service account key | pnb_{a:36} | https://docs.prefect.io/v3/manage/cloud/manage-users/service-accounts
trigger-key | Trigger.dev | secret key | tr_{dev,prod,stg,preview}_{a:20+} | https://trigger.dev/docs/apikeys
trigger-key | Trigger.dev | personal access token | tr_pat_{l:40} | https://github.com/triggerdotdev/trigger.dev
inngest-key | Inngest | signing key | signkey-{prod,test,branch}-{h:32+} | https://www.inngest.com/docs/events/creating-an-event-key
infisical-token | Infisical | service token | ^st.{h:24}.{h:32}.{h:32} | https://infisical.com/docs/documentation/platform/token
deno-token | Deno Deploy | access token | ddp_{a:36} | trufflehog
deno-token | Deno Deploy | organisation token | dd{w,o}_{a:36} | trufflehog
val-town-token | Val Town | API token | vtwn_{d:20+} | betterleaks
xata-key | Xata | API key | xau_{a:32+} | https://xata.io/docs/concepts/api-keys
retool-token | Retool | API token | retool_{d:24+} | https://docs.retool.com/org-users/guides/retool-api
mergify-key | Mergify | application key | mergify_application_key_{d:40+} | betterleaks
localstack-token | LocalStack | auth token | ^ls-{a:8}-{a:4}-{a:4}-{a:4}-{a:12} | https://docs.localstack.cloud/getting-started/auth-token/
unkey-key | Unkey | root key | unkey_{a:20+} | betterleaks
nightfall-key | Nightfall | API key | NF-{a:32} | kingfisher
configcat-key | ConfigCat | SDK key | configcat-sdk-1/{d:22}/{d:22} | betterleaks
launchdarkly-key | LaunchDarkly | access token and SDK key | ^{api,sdk}-{u} | trufflehog
devcycle-key | DevCycle | server SDK key | dvc_server_{w:16+} | betterleaks
statsig-key | Statsig | server and console keys | {secret,console}-{a:40+} | https://docs.statsig.com/sdk-keys/api-keys/
unleash-token | Unleash | API token | :{development,production,staging,test,default}.{h:48+} | https://docs.getunleash.io/reference/api-tokens-and-client-keys
linear-key | Linear | API key | lin_api_{a:32+} | kingfisher
linear-key | Linear | OAuth token | lin_oauth_{a:32+} | https://developers.linear.app/docs/oauth/authentication
figma-token | Figma | personal access token | fig{d,p}_{d:36+} | betterleaks
figma-token | Figma | OAuth token | fig{o,u}_{d:36+} | https://www.figma.com/developers/api#authentication
notion-token | Notion | integration token | ntn_{a:40+} | gitleaks
notion-token | Notion | integration token, older | ^secret_{a:43} | trufflehog
airtable-token | Airtable | personal access token | pat{a:14}.{a:32-66} | kingfisher
clickup-token | ClickUp | personal token | ^pk_{n:6-9}_{a:32} | kingfisher
asana-token | Asana | personal access token | ^{1,2}/{n:13-17}/{n:13-17}:{h:32} | https://developers.asana.com/docs/personal-access-token
asana-token | Asana | personal access token, older | ^{1,2}/{n:13-17}:{h:32} | https://developers.asana.com/docs/personal-access-token
wakatime-key | WakaTime | API key | waka_{d:32+} | betterleaks
frame-token | Frame.io | API token | fio-u-{B:60+} | gitleaks
canva-secret | Canva | client secret | cnvca{d:44+} | betterleaks
contentful-token | Contentful | personal access token | CFPAT-{d:43} | kingfisher
bannerbear-key | Bannerbear | API key | bb_{pr,ma}_{h:30} | trufflehog
ionic-token | Ionic | personal access token | ion_{a:42} | kingfisher
lichess-token | Lichess | personal access token | lip_{w:16+} | betterleaks
workato-token | Workato | developer token | wrka{,-us,-eu,-jp,-sg,-au}-eyJ{o:80+} | betterleaks
zuplo-key | Zuplo | API key | zpka_{l:32}_{h:8} | betterleaks
intra42-secret | 42 Intra | client secret | s-s4t2{ud,af}-{h:64} | gitleaks
intra42-secret | 42 Intra | client id | u-s4t2{ud,af}-{h:64} | trufflehog
settlemint-token | SettleMint | access tokens | sm_{aat,pat,sat}_{a:16} | gitleaks
authress-key | Authress | access key of a service client | {sc,ext,scauth,authress}_{l:5-30}.{l:4-6}.acc{_,-}{l:10-32}.{B:30+} | gitleaks
thunderstore-token | Thunderstore | service account token | tss_{d:20+} | betterleaks
riot-key | Riot Games | API key | RGAPI-{u} | https://developer.riotgames.com/docs/portal
aikido-token | Aikido | client id | AIK_CLIENT_{a:24+} | betterleaks
jsr-token | JSR | access token | jsr{p,d}_{a:40+} | https://jsr.io/docs/api
veracode-key | Veracode | API id | vera01ei-{h:32} | https://docs.veracode.com/r/c_api_credentials3
veracode-key | Veracode | secret key | vera01es-{h:100+} | https://docs.veracode.com/r/c_api_credentials3
socket-token | Socket | API token | sktsec_{d:40+} | https://docs.socket.dev/docs/api-keys
depot-token | Depot | API tokens | depot_{org,project,user}_{h:40+} | https://depot.dev/docs/cli/authentication
percy-token | Percy | project token | ^{web,app,auto,ss,vmw,res}_{h:64}! | https://www.browserstack.com/docs/percy/get-started/set-env-var
chromatic-token | Chromatic | project token | chpt_{a:12+} | https://www.chromatic.com/docs/setup/
honeybadger-token | Honeybadger | API keys | hb{p,a}_{a:30+} | https://docs.honeybadger.io/api/
linear-key | Linear | secret of a webhook | lin_wh_{a:32+} | https://linear.app/developers/webhooks
trello-token | Trello | API token | ATTA{x:60+} | https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/
intercom-token | Intercom | access token | ^dG9rO{B:40+} | https://developers.intercom.com/docs/build-an-integration/learn-more/authentication
flagsmith-key | Flagsmith | key of a server | ^ser.{a:22} | https://docs.flagsmith.com/clients/server-side
growthbook-key | GrowthBook | secret key | secret_{user,admin,readonly}_{a:30+} | https://docs.growthbook.io/api/
unleash-token | Unleash | API token of all projects | *:*.{h:40+} | https://docs.getunleash.io/reference/api-tokens-and-client-keys
appwrite-key | Appwrite | API key | standard_{h:100+} | https://appwrite.io/docs/advanced/platform/api-keys
flask-session | Flask | session cookie, compressed | .eJ{d:40+}.{d:6}.{d:27+} | https://flask.palletsprojects.com/en/stable/quickstart/#sessions
aspnet-ticket | Microsoft | ticket of ASP.NET data protection | ^CfDJ8{d:60+} | https://learn.microsoft.com/en-us/aspnet/core/security/data-protection/implementation/authenticated-encryption-details
express-session | Express | signed session cookie, encoded | s%3A{d:20-36}.{%:40+} | https://github.com/expressjs/session
express-session | Express | signed session cookie | ^s:{d:20-36}.{B:40+} | https://github.com/expressjs/session
notify-key | GC Notify | API key | gcntfy-{w:3-40}-{u}-{u} | betterleaks
notify-key | GOV.UK Notify | API key | team_key-{u}-{u} | https://docs.notifications.service.gov.uk/rest-api.html
databento-key | Databento | API key | ^db-{a:29}! | betterleaks
square-secret | Square | application secret of a sandbox | sandbox-sq0{a,c,i}{L:2}-{d:20+} | trufflehog
`

/** Token types of model vendors and of the services around models. */
const models = `
openai-key | OpenAI | API key of a user | sk-{a:20}T3BlbkFJ{a:20} | gitleaks
openai-key | OpenAI | project key | sk-proj-{d:40+} | https://platform.openai.com/docs/api-reference/project-api-keys
openai-key | OpenAI | key of a service account | sk-svcacct-{d:40+} | https://platform.openai.com/docs/api-reference/project-service-accounts
openai-key | OpenAI | admin key | sk-admin-{d:40+} | https://platform.openai.com/docs/api-reference/admin-api-keys
openai-session | OpenAI | session key of the dashboard | sess-{a:40} | https://platform.openai.com/docs/api-reference/authentication
anthropic-key | Anthropic | API key | sk-ant-api{n:2}-{d:40+} | gitleaks
anthropic-key | Anthropic | admin key | sk-ant-admin{n:2}-{d:40+} | gitleaks
anthropic-key | Anthropic | OAuth access token | sk-ant-oat{n:2}-{d:40+} | betterleaks
anthropic-key | Anthropic | other keys | sk-ant-{d:20+} | https://docs.anthropic.com/en/api/overview
google-key | Google | Gemini key of the second generation | AQ.{d:40+} | betterleaks
openrouter-key | OpenRouter | API key | sk-or-{d:20+} | trufflehog
minimax-key | MiniMax | API key | sk-api-{d:60+} | betterleaks
huggingface-token | Hugging Face | user token | hf_{a:30+} | https://huggingface.co/docs/hub/security-tokens
huggingface-token | Hugging Face | OAuth token | hf_oauth_{o:40+} | https://huggingface.co/docs/hub/oauth
huggingface-token | Hugging Face | organisation token | api_org_{a:30+} | gitleaks
xai-key | xAI | API key | xai-{w:32+} | trufflehog
groq-key | Groq | API key | gsk_{a:32+} | trufflehog
perplexity-key | Perplexity | API key | pplx-{a:32+} | gitleaks
replicate-token | Replicate | API token | r8_{d:32+} | trufflehog
nvidia-key | NVIDIA | API key | nvapi-{d:40+} | trufflehog
fireworks-key | Fireworks AI | API key | fw_{a:22+} | https://docs.fireworks.ai/api-reference/introduction
cerebras-key | Cerebras | API key | csk-{l:40+} | betterleaks
together-key | Together AI | API key | tgp_v1_{d:30+} | betterleaks
jina-key | Jina AI | API key | jina_{a:40+} | noseyparker
tavily-key | Tavily | API key | tvly-{dev-,prod-,}{a:24+} | noseyparker
firecrawl-key | Firecrawl | API key | ^fc-{h:32} | noseyparker
elevenlabs-key | ElevenLabs | API key | ^sk_{h:48} | trufflehog
pinecone-key | Pinecone | API key | pcsk_{a:5-7}_{a:40+} | trufflehog
langsmith-key | LangSmith | personal token | lsv2_pt_{w:32+} | trufflehog
langsmith-key | LangSmith | service key | lsv2_sk_{w:32+} | trufflehog
langfuse-key | Langfuse | secret key | sk-lf-{u} | https://langfuse.com/docs/api
wandb-key | Weights & Biases | API key | wandb_v1_{w:40+} | betterleaks
runpod-key | RunPod | API key | rpa_{a:30+} | betterleaks
cursor-key | Cursor | API key | ^{key,crsr}_{h:64} | betterleaks
devin-key | Devin | personal key | apk_user_{B:80+} | betterleaks
devin-key | Devin | service user token | ^cog_{e:52} | betterleaks
devin-key | Devin | service key | ^apk_{B:80+} | betterleaks
brave-key | Brave Search | API key | BSA{d:24+} | betterleaks
voiceflow-key | Voiceflow | API key | VF.{DM.,WS.,}{x:24}.{a:16} | kingfisher
vercel-token | Vercel | key of the AI gateway | vck_{d:40+} | betterleaks
salad-key | Salad | API key | salad_cloud_{a:1-7}_{a:20+} | trufflehog
baidu-key | Baidu | key of the model platform | bce-v3/ALTAK-{a:21}/{h:40} | https://cloud.baidu.com/doc/WENXINWORKSHOP/index.html
e2b-key | E2B | API key | e2b_{h:40} | https://e2b.dev/docs/api-key
modal-token | Modal | token secret | ^as-{a:22} | https://modal.com/docs/guide/secrets
modal-token | Modal | token id | ^ak-{a:22} | https://modal.com/docs/guide/secrets
novita-key | Novita AI | API key | ^sk_{d:43}! | https://novita.ai/docs/guides/quickstart
helicone-key | Helicone | API key | sk-helicone-{d:20+} | https://docs.helicone.ai/helicone-headers/helicone-auth
mem0-key | Mem0 | API key | ^m0-{a:40} | https://docs.mem0.ai/platform/quickstart
composio-key | Composio | API key | ^ak_{d:20+} | https://docs.composio.dev/docs/quickstart
llamacloud-key | LlamaCloud | API key | llx-{a:40+} | https://docs.cloud.llamaindex.ai/api_key
openai-token | OpenAI | refresh token of Codex | ^rt_{d:40+} | https://developers.openai.com/codex/auth
openai-key | OpenAI | API key, older forms and compatible services | sk-{d:20+} | https://platform.openai.com/docs/api-reference/authentication
voyage-key | Voyage AI | API key | ^pa-{d:40+} | https://docs.voyageai.com/docs/api-key-and-installation
langsmith-key | LangSmith | API key, older | ls__{a:32} | https://docs.smith.langchain.com/
anyscale-key | Anyscale | API key | esecret_{l:20+} | https://docs.anyscale.com/
kaggle-token | Kaggle | API token | KGAT_{h:32} | https://github.com/Kaggle/kaggle-api
friendli-token | FriendliAI | personal access token | flp_{a:40+} | https://friendli.ai/docs/guides/personal_access_tokens
predibase-token | Predibase | API token | ^pb_{d:22}! | https://docs.predibase.com/
cartesia-key | Cartesia | API key | sk_car_{d:20+} | https://docs.cartesia.ai/get-started/make-an-api-request
retell-key | Retell AI | API key | ^key_{h:28}! | https://docs.retellai.com/api-references/authentication
browserbase-key | Browserbase | API key | bb_live_{d:20+} | https://docs.browserbase.com/introduction/getting-started
steel-key | Steel | API key | ^ste-{a:40+} | https://docs.steel.dev/
dify-key | Dify | API key of an app or a dataset | ^{app,dataset}-{a:24}! | https://docs.dify.ai/en/openapi-api-access-readme
fastgpt-key | FastGPT | API key | fastgpt-{a:30+} | https://doc.fastgpt.io/docs/introduction/development/openapi/intro
coze-token | Coze | personal access token | ^{pat,sat}_{a:60+} | https://www.coze.com/docs/developer_guides/pat
braintrust-key | Braintrust | service token | bt-st-{a:40+} | https://www.braintrust.dev/docs/
humanloop-key | Humanloop | API key | hl_sk_{h:40+} | https://humanloop.com/docs/
promptlayer-key | PromptLayer | API key | ^pl_{h:32} | https://docs.promptlayer.com/
nomic-key | Nomic | API key | ^nk-{d:40+} | https://docs.nomic.ai/
mixedbread-key | Mixedbread | API key | mxb_{a:32+} | https://www.mixedbread.com/docs
vectara-key | Vectara | API keys | ^{zut,zqt,zwt}_{d:20+} | https://docs.vectara.com/docs/security/authentication/api-key-management
turbopuffer-key | turbopuffer | API key | tpuf_{a:30+} | https://turbopuffer.com/docs/auth
chroma-key | Chroma | API key of the cloud | ^ck-{a:40+} | https://docs.trychroma.com/cloud/getting-started
amp-key | Amp | API key | sgamp_user_{w:40+} | https://ampcode.com/manual
factory-key | Factory | API key | ^fk-{d:30+} | https://docs.factory.ai/
warp-key | Warp | API key | ^wk-1.{h:64} | https://docs.warp.dev/
v0-key | Vercel | key of v0 | ^v1:{a:24}:{a:24} | https://v0.app/docs/api/platform/overview
daytona-key | Daytona | API key | dtn_{h:40+} | https://www.daytona.io/docs/en/api-keys/
codesandbox-token | CodeSandbox | API token | csb_v1_{d:30+} | https://codesandbox.io/docs/sdk
gitpod-token | Gitpod | personal access token | gitpod_pat_{o:30+} | https://www.gitpod.io/docs/classic/user/configure/user-settings/access-tokens
scrapegraph-key | ScrapeGraphAI | API key | sgai-{u} | https://docs.scrapegraphai.com/
context7-key | Context7 | API key | ctx7sk-{d:30+} | https://context7.com/docs/howto/api-keys
hyperbrowser-key | Hyperbrowser | API key | ^hb_{h:24+} | https://docs.hyperbrowser.ai/
relace-key | Relace | API key | ^rlc-{d:30+} | https://docs.relace.ai/
openai-key | OpenAI | ephemeral key of a realtime session | ^ek_{a:32+} | https://platform.openai.com/docs/api-reference/realtime-sessions
chutes-key | Chutes | API key | ^cpk_{h:32}.{h:32}.{a:32} | https://chutes.ai/agents/connect
ragflow-key | RAGFlow | API key | ragflow-{d:30+} | https://ragflow.io/docs/dev/acquire_ragflow_api_key
ragie-key | Ragie | API key | ^tnt_{a:10-12}_{a:40+} | https://docs.ragie.ai/docs/authentication
upstage-key | Upstage | API key | ^up_{a:29}! | https://console.upstage.ai/docs/getting-started
arize-key | Arize | API key | ^ak-{u}-{B:20+} | https://arize.com/docs/ax
`

/** All types, in the order in which their rules are tried. */
export const kinds: readonly Kind[] = [models, code, clouds, business, operations].flatMap(rowsOf)

function rowsOf(table: string): Kind[] {
  return table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [id = '', vendor = '', what = '', ...rest] = line.split(' | ')
      const source = rest.pop() ?? ''
      return { id, vendor, what, form: rest.join(' | '), source: lists[source] ?? source }
    })
}

/** Tokens that reveal by their form what they are: one rule for each row of the table. */
export const tokenRules: readonly PatternRule[] = kinds.map(({ id, form }) => ruleOf(id, form))
