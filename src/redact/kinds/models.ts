/** Token types of model vendors and of the services around models. See `kinds.ts` for the columns. */
export const models = `
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
openai-key | OpenAI | API key, older forms and compatible services | sk-{d:20+} | https://platform.openai.com/docs/api-reference/authentication
voyage-key | Voyage AI | API key | ^pa-{d:40+} | https://docs.voyageai.com/docs/api-key-and-installation
langsmith-key | LangSmith | API key, older | ls__{a:32} | https://docs.smith.langchain.com/
anyscale-key | Anyscale | API key | esecret_{l:20+} | https://docs.anyscale.com/
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
arize-key | Arize | API key | ^ak-{u}-{B:20+} | https://arize.com/docs/ax
`
