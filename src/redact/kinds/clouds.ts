/** Token types of clouds, hosts, databases and networks. See `kinds.ts` for the columns. */
export const clouds = `
aws-bedrock | Amazon | Bedrock API key, long-lived | ABSK{b:100+} | gitleaks
aws-bedrock | Amazon | Bedrock API key, short-lived | bedrock-api-key-{B:40+} | gitleaks
aws-appsync | Amazon | AppSync API key | ^da2-{l:26} | noseyparker
amazon-mws | Amazon | marketplace token | amzn.mws.{u} | noseyparker
amazon-oauth | Amazon | Login with Amazon secret | amzn1.oa2-cs.v1.{h:64} | https://developer-docs.amazon.com/sp-api/docs/view-your-app-information-and-credentials
amazon-oauth | Amazon | Login with Amazon refresh token | Atzr|{B:100+} | https://developer.amazon.com/docs/login-with-amazon/refresh-token.html
amazon-oauth | Amazon | Login with Amazon access token | Atza|{B:100+} | https://developer.amazon.com/docs/login-with-amazon/access-token.html
google-key | Google | API key | AIza{d:35} | https://cloud.google.com/docs/authentication/api-keys
google-oauth | Google | client secret | GOCSPX-{d:24+} | https://developers.google.com/identity/protocols/oauth2
google-oauth | Google | access token | ya29.{o:20+} | https://cloud.google.com/docs/authentication/token-types
google-oauth | Google | refresh token | ^1//0{d:40+} | https://developers.google.com/identity/protocols/oauth2
google-hmac | Google | access id of an HMAC key | GOOG1{U:20-60}! | https://cloud.google.com/storage/docs/authentication/hmackeys
google-fcm | Google | server key of Firebase messaging | {d:11}:APA91b{d:120+} | https://firebase.google.com/docs/cloud-messaging/auth-server
google-fcm | Google | server key of Firebase messaging, short | ^AAAA{d:7}:{d:140} | https://firebase.google.com/docs/cloud-messaging/auth-server
azure-devops | Microsoft | Azure DevOps personal access token | {a:76}AZDO{a:4} | noseyparker
azure-key | Microsoft | storage key | {b:76}+ASt{b:6}== | https://learn.microsoft.com/en-us/purview/sit-defn-azure-storage-account-key
azure-key | Microsoft | Cosmos DB key | {b:76}ACDb{b:6}== | https://learn.microsoft.com/en-us/purview/sit-defn-azure-cosmos-db-account-access-key
azure-key | Microsoft | key of Batch | {b:76}+ABa{b:6}== | https://learn.microsoft.com/en-us/purview/sit-defn-azure-batch-shared-access-key
azure-key | Microsoft | key of Service Bus | {b:33}+ASb{b:6}= | https://learn.microsoft.com/en-us/purview/sit-defn-azure-service-bus-shared-access-signature
azure-key | Microsoft | key of Event Hubs | {b:33}+AEh{b:6}= | https://learn.microsoft.com/en-us/purview/sit-defn-azure-service-bus-shared-access-signature
azure-key | Microsoft | key of IoT | {b:33}AIoT{b:5}= | https://learn.microsoft.com/en-us/purview/sit-defn-azure-iot-shared-access-key
azure-key | Microsoft | key of a function | {d:44}AzFu{d:4}== | https://learn.microsoft.com/en-us/purview/sit-defn-azure-function-master-api-key
azure-key | Microsoft | key of Search | {a:42}AzSe{a:6}! | https://learn.microsoft.com/en-us/purview/sit-defn-azure-search
azure-key | Microsoft | key of a container registry | {b:42}+ACR{a:6}! | trufflehog
azure-key | Microsoft | key of Cache for Redis | {a:33}AzCa{a:7}= | https://learn.microsoft.com/en-us/purview/sit-defn-azure-redis-cache-connection-string
azure-key | Microsoft | key of AI services | {a:52}JQQJ{a:28} | https://learn.microsoft.com/en-us/purview/sit-defn-azure-cognitive-service-key
alibaba-key | Alibaba Cloud | access key id | LTAI{a:12-24} | kingfisher
alibaba-key | Alibaba Cloud | temporary access key id | ^STS.{a:16+} | betterleaks
volcengine-key | Volcengine | access key id | AKLT{a:36-60} | https://www.volcengine.com/docs/6291/65568
tencent-key | Tencent Cloud | secret id | AKID{a:32} | https://www.tencentcloud.com/document/product/598/32675
yandex-key | Yandex Cloud | API key | AQVN{d:35-38} | gitleaks
yandex-key | Yandex Cloud | static access key | ^YC{d:38}! | gitleaks
yandex-key | Yandex Cloud | IAM token | ^t1.{d:8+}.{d:80-90} | gitleaks
yandex-key | Yandex | OAuth token | ^y{0,1,2,3}_{d:50+} | https://yandex.cloud/en/docs/iam/concepts/authorization/oauth-token
digitalocean-token | DigitalOcean | personal access token | dop_v1_{h:64} | https://docs.digitalocean.com/reference/api/create-personal-access-token/
digitalocean-token | DigitalOcean | OAuth token | doo_v1_{h:64} | gitleaks
digitalocean-token | DigitalOcean | refresh token | dor_v1_{h:64} | gitleaks
fly-token | Fly.io | access token | fo1_{d:30+} | gitleaks
fly-token | Fly.io | macaroon | fm{1r,1a,2}_{B:40+} | gitleaks
heroku-key | Heroku | API key | HRKU-{d:36+} | gitleaks
netlify-token | Netlify | personal access token | nfp_{a:36+} | https://docs.netlify.com/api/get-started/
netlify-token | Netlify | other tokens | nf{c,o,u,b}_{a:36+} | https://docs.netlify.com/api/get-started/
vercel-token | Vercel | personal access token | vcp_{d:40+} | betterleaks
vercel-token | Vercel | integration token | vci_{d:40+} | betterleaks
vercel-token | Vercel | app access token | vca_{d:40+} | betterleaks
vercel-token | Vercel | app refresh token | vcr_{d:40+} | betterleaks
vercel-token | Vercel | token of a blob store | vercel_blob_rw_{a:16}_{a:30+} | https://vercel.com/docs/vercel-blob
render-key | Render | API key | rnd_{a:28+} | betterleaks
upcloud-token | UpCloud | API token | ucat_{a:24+} | betterleaks
exoscale-key | Exoscale | API key | ^EXO{x:24-30}! | betterleaks
scaleway-key | Scaleway | access key | ^SCW{U:17} | https://www.scaleway.com/en/docs/iam/concepts/
cloudflare-token | Cloudflare | API tokens of users and accounts | cf{u,a}t_{a:40}{h:8} | trufflehog
cloudflare-token | Cloudflare | global API key | cfk_{a:40}{h:8} | trufflehog
cloudflare-token | Cloudflare | origin CA key | v1.0-{h:24}-{h:100+} | gitleaks
cloudflare-token | Cloudflare | secret key of Turnstile | ^0x4AAAAAAA{d:24+} | https://developers.cloudflare.com/turnstile/get-started/
supabase-token | Supabase | management token | sbp_{d:28+} | trufflehog
supabase-token | Supabase | secret key | sb_secret_{d:28+} | https://supabase.com/docs/guides/api/api-keys
planetscale-token | PlanetScale | service token | pscale_tkn_{o:32+} | gitleaks
planetscale-token | PlanetScale | password | pscale_pw_{o:32+} | gitleaks
planetscale-token | PlanetScale | OAuth token | pscale_oauth_{o:32+} | gitleaks
neon-key | Neon | password of a role | ^npg_{a:12}! | https://neon.com/docs/manage/roles
neon-key | Neon | API key | napi_{a:40+} | betterleaks
mongodb-secret | MongoDB Atlas | secret of a service account | mdb_sa_sk_{d:40} | kingfisher
cockroach-key | CockroachDB Cloud | API key | CCDB1_{a:22}_{a:40} | betterleaks
clickhouse-key | ClickHouse Cloud | key secret | ^4b1d{a:38}! | gitleaks
datastax-token | DataStax Astra | application token | AstraCS:{o:20+} | betterleaks
elastic-key | Elastic Cloud | API key | essu_{B:60+} | betterleaks
aiven-secret | Aiven | password of a service | AVNS_{d:19+} | https://aiven.io/docs/platform/concepts/service-users
databricks-token | Databricks | personal access token | dapi{h:32} | trufflehog
databricks-token | Databricks | OAuth secret | dose{h:32} | https://docs.databricks.com/en/dev-tools/auth/oauth-m2m.html
databricks-token | Databricks | deprecated personal tokens | dkea{h:32} | https://docs.databricks.com/en/security/secrets/redaction.html
confluent-secret | Confluent Cloud | API secret | cflt{b:60} | https://docs.confluent.io/cloud/current/security/authenticate/workload-identities/service-accounts/api-keys/overview.html
tailscale-key | Tailscale | API, auth and client keys | tskey-{api-,auth-,client-,scim-,webhook-,}{d:20+} | trufflehog
ngrok-key | ngrok | API key | ^ak_{a:27}! | https://ngrok.com/docs/api/
netbird-key | NetBird | access token | nbp_{a:36} | https://docs.netbird.io/how-to/access-netbird-public-api
defined-key | Defined Networking | API key | dnkey-{B:26}-{B:52} | gitleaks
openshift-token | OpenShift | user token | sha256~{d:43} | gitleaks
rancher-token | Rancher | API token | ^token-{l:5}:{l:54} | https://ranchermanager.docs.rancher.com/reference-guides/user-settings/api-keys
terraform-token | HashiCorp | Terraform token | {a:14}.atlasv1.{d:40+} | gitleaks
vault-token | HashiCorp | Vault service token | hvs.{d:24+} | https://developer.hashicorp.com/vault/docs/concepts/tokens
vault-token | HashiCorp | Vault batch token | hvb.{d:24+} | https://developer.hashicorp.com/vault/docs/concepts/tokens
vault-token | HashiCorp | Vault recovery token | hvr.{d:24+} | https://developer.hashicorp.com/vault/docs/concepts/tokens
pulumi-token | Pulumi | access token | pul-{l:40} | gitleaks
doppler-token | Doppler | personal token | dp.pt.{o:40+} | kingfisher
doppler-token | Doppler | service token | dp.st.{o:40+} | kingfisher
doppler-token | Doppler | CLI token | dp.ct.{o:40+} | kingfisher
doppler-token | Doppler | service account token | dp.sa.{o:40+} | kingfisher
doppler-token | Doppler | SCIM token | dp.scim.{o:40+} | kingfisher
doppler-token | Doppler | audit token | dp.audit.{o:40+} | kingfisher
onepassword-token | 1Password | service account token | ops_eyJ{B:100+} | gitleaks
onepassword-token | 1Password | secret key | A3-{U:6}-{U:6}-{U:5}-{U:5}-{U:5}-{U:5} | gitleaks
onepassword-token | 1Password | secret key, short form | A3-{U:6}-{U:11}-{U:5}-{U:5}-{U:5} | gitleaks
bitwarden-token | Bitwarden | access token of a machine account | ^0.{u}.{a:30}:{B:20+} | https://bitwarden.com/help/access-tokens/
k3s-token | K3s | token of a server | K10{h:48+}::{server,node}:{h:32} | https://docs.k3s.io/cli/token
age-key | age | secret key | AGE-SECRET-KEY-1{U:50+} | https://github.com/FiloSottile/age
aws-session-token | Amazon | session token | {IQoJb3JpZ2lu,FwoGZXIvYXdz,FQoGZXIvYXdz}{b:60+} | https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp.html
google-oauth | Google | authorization code | ^4/0{d:40+} | https://developers.google.com/identity/protocols/oauth2
digitalocean-token | DigitalOcean | access key of Spaces | ^DO00{U:16}! | https://docs.digitalocean.com/products/spaces/how-to/manage-access/
akamai-token | Akamai | client and access tokens | akab-{d:16}-{d:16} | https://techdocs.akamai.com/developer/docs/edgegrid
backblaze-key | Backblaze | application key | ^K00{n:1}{b:27}! | https://www.backblaze.com/docs/cloud-storage-application-keys
tigris-key | Tigris | access keys | ^{tid,tsec}_{d:30+} | https://www.tigrisdata.com/docs/iam/
convex-key | Convex | deploy key | ^{prod,dev,preview,project}:{d:3-60}|{B:40+} | https://docs.convex.dev/cli/deploy-key-types
fauna-secret | Fauna | secret of a key | ^fnA{d:37} | https://docs.faunadb.org/fauna/current/learn/security/keys/
cloudflare-token | Cloudflare | token of a tunnel | eyJhIjoi{B:80+} | https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/configure-tunnels/remote-tunnel-permissions/
rancher-token | Rancher | token in a kubeconfig | kubeconfig-u-{l:10-16}:{l:54} | https://ranchermanager.docs.rancher.com/
portainer-token | Portainer | access token | ptr_{B:40+} | https://docs.portainer.io/api/access
vault-token | HashiCorp | Vault service token, older | ^s.{a:24}! | https://developer.hashicorp.com/vault/docs/concepts/tokens
boundary-token | HashiCorp | Boundary token | ^at_{a:10}_{a:80+} | https://developer.hashicorp.com/boundary/docs/concepts/domain-model/auth-methods
age-key | age | identity of a plugin | AGE-PLUGIN-{U:2-16}-1{U:30+} | https://github.com/FiloSottile/age
microsoft-token | Microsoft | refresh token of Entra | ^{0,1}.A{d:50-160}.Ag{d:120+} | trufflehog
microsoft-token | Microsoft | refresh token of a personal account | ^M.C{n:3}_{U:3}.{d:1-4}.{o:60+} | https://learn.microsoft.com/en-us/entra/identity-platform/refresh-tokens
`

/** Token types of payment, shops, mail, chat, marketing and social networks. See `kinds.ts` for the columns. */
export const business = `
stripe-key | Stripe | secret key | sk_{live,test,prod}_{a:10+} | https://docs.stripe.com/keys
stripe-key | Stripe | key of an organisation | sk_org_{live,test}_{a:20+} | https://docs.stripe.com/keys/organization-api-keys
stripe-key | Stripe | restricted key | rk_{live,test,prod}_{a:10+} | https://docs.stripe.com/keys
stripe-key | Stripe | signing secret of a webhook | whsec_{B:24+} | https://docs.stripe.com/webhooks
stripe-key | Stripe | client secret of a payment | ^{pi,seti}_{a:24}_secret_{a:25} | trufflehog
stripe-key | Stripe | ephemeral key | ek_{live,test}_{d:20+} | https://docs.stripe.com/api/ephemeral_keys/object
stripe-key | Stripe | Connect OAuth token | ^ca_{a:32} | https://docs.stripe.com/connect/oauth-reference
square-token | Square | access token | sq0atp-{d:22+} | gitleaks
square-token | Square | OAuth secret | sq0csp-{d:40+} | kingfisher
square-token | Square | OAuth secret, short | sq0csp-{d:22+} | kingfisher
square-token | Square | access token of production | ^EAAA{d:56-64}! | gitleaks
paypal-token | Braintree | access token | access_token\${production,sandbox}\${l:16}\${h:32} | https://developer.paypal.com/braintree/docs/guides/credentials
plaid-token | Plaid | access token | access-{sandbox,development,production}-{u} | gitleaks
plaid-token | Plaid | link token | link-{sandbox,development,production}-{u} | https://plaid.com/docs/api/link/
mollie-key | Mollie | API key | ^{live,test}_{a:30} | https://docs.mollie.com/docs/authentication
mollie-key | Mollie | organisation access token | ^access_{a:30+} | https://docs.mollie.com/docs/authentication
adyen-key | Adyen | API key | ^AQE{L:1}{B:139+} | https://docs.adyen.com/development-resources/api-credentials/
checkout-key | Checkout.com | secret key | ^sk_{,sbox_}{l:26-28}{*,#}! | https://www.checkout.com/docs/developer-resources/api/manage-api-keys
checkout-key | Checkout.com | secret key, older | ^sk_{,test_}{u} | betterleaks
paystack-key | Paystack | secret key | sk_{live,test}_{l:40} | kingfisher
flutterwave-key | Flutterwave | secret key | FLWSECK{-,_TEST-}{l:12-40}{-X,} | gitleaks
razorpay-key | Razorpay | key id of live mode | rzp_{live,test}_{a:14} | trufflehog
paddle-key | Paddle | API key | pdl_{live,sdbx}_apikey_{l:26}_{a:22}_{a:3} | betterleaks
paddle-key | Paddle | secret of a notification | pdl_ntfset_{l:26}_{b:20+} | https://developer.paddle.com/webhooks/signature-verification
creem-key | Creem | API key | ^creem_{,test_}{a:20+} | https://docs.creem.io/api-reference/introduction
toss-key | Toss Payments | secret key | ^{live,test}_{sk,gsk}_{a:24+} | https://docs.tosspayments.com/en/api-guide
cashfree-key | Cashfree | secret key | cfsk_ma_{prod,test}_{h:32}_{h:8} | https://www.cashfree.com/docs/api-reference/authentication
omise-key | Omise | secret key | ^skey_{,test_}{l:19}! | https://docs.omise.co/api-authentication
mercadopago-token | Mercado Pago | access token | {APP_USR,TEST}-{n:12-18}-{n:6}-{h:32}-{n:6-12} | https://www.mercadopago.com/developers/en/docs/your-integrations/credentials
revolut-token | Revolut | access token | oa_{prod,sand}_{d:40+} | https://developer.revolut.com/docs/business/business-api
brex-token | Brex | user token | ^bxt_{a:30+} | https://developer.brex.com/docs/authentication/
polar-token | Polar | secret of a webhook | polar_whs_{d:20+} | https://polar.sh/docs/integrate/webhooks/endpoints
polar-token | Polar | access tokens | polar_{oat,pat,at,rt}_{d:20+} | betterleaks
mercury-token | Mercury | API token | mercury_production_{L:3-6}_{a:40-50} | betterleaks
ramp-secret | Ramp | client secret | ramp_sec_{a:48} | trufflehog
ramp-secret | Ramp | client id | ramp_id_{a:40} | trufflehog
gocardless-token | GoCardless | access token | ^{live,sandbox}_{B:40} | gitleaks
coinbase-key | Coinbase | name of a key | organizations/{u}/apiKeys/{u} | trufflehog
robinhood-key | Robinhood | API key | rh-api-{u} | trufflehog
asaas-token | Asaas | API token | $aact_{prod,hmlg}_{B:20+} | betterleaks
pagarme-key | Pagar.me | API key | ^ak_{live,test}_{a:30} | kingfisher
midtrans-key | Midtrans | server key | Mid-server-{d:20+} | betterleaks
lob-key | Lob | API key | ^{live,test}_{h:35} | gitleaks
easypost-key | EasyPost | API key of production | EZAK{d:54} | gitleaks
easypost-key | EasyPost | API key of tests | EZTK{d:54} | gitleaks
shippo-token | Shippo | API token | shippo_{live,test}_{l:40} | gitleaks
duffel-token | Duffel | API token | duffel_{test,live}_{B:40+} | gitleaks
plain-key | Plain | API key | plainApiKey_{d:30+} | https://www.plain.com/docs/graphql/authentication
shopify-token | Shopify | access token | shpat_{x:32} | gitleaks
shopify-token | Shopify | access token of a custom app | shpca_{x:32} | gitleaks
shopify-token | Shopify | password of a private app | shppa_{x:32} | gitleaks
shopify-token | Shopify | shared secret | shpss_{x:32} | gitleaks
shopify-token | Shopify | token of the partner API | prtapi_{h:32} | https://shopify.dev/docs/api/partner
shopify-token | Shopify | refresh and user tokens | shp{ua,rt,it}_{x:32} | https://shopify.dev/docs/apps/build/authentication-authorization
samsara-token | Samsara | API token | samsara_api_{a:26+} | betterleaks
flexport-key | Flexport | API key | shltm_{d:40} | kingfisher
fleetbase-key | Fleetbase | API key | flb_live_{a:20} | kingfisher
sendgrid-key | SendGrid | API key | SG.{d:16-32}.{d:32-64} | https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys
brevo-key | Brevo | API key | xkeysib-{a:64}-{a:16} | gitleaks
brevo-key | Brevo | SMTP key | xsmtpsib-{a:64}-{a:16} | https://developers.brevo.com/docs/how-it-works
resend-key | Resend | API key | ^re_{a:8}_{a:24} | https://resend.com/docs/api-reference/introduction
resend-key | Resend | API key, older | ^re_{a:24-40}! | https://resend.com/docs/api-reference/introduction
mailersend-token | MailerSend | API token | mlsn.{a:30+} | betterleaks
mailgun-key | Mailgun | private key | ^key-{l:32}! | kingfisher
mandrill-key | Mailchimp Transactional | API key | ^md-{d:22}! | https://mailchimp.com/developer/transactional/guides/quick-start/
klaviyo-key | Klaviyo | private key | ^pk_{h:34}! | trufflehog
klaviyo-key | Klaviyo | private key with the site's id | ^pk_{a:6}_{h:34}! | trufflehog
hubspot-token | HubSpot | token of a private app | pat-{na1,na2,eu1,ap1}-{u} | kingfisher
close-key | Close | API key | ^api_{a:20-24}.{a:20-24} | trufflehog
typeform-token | Typeform | personal token | tfp_{o:40+} | trufflehog
calcom-key | Cal.com | API key | cal_{live_,}{h:32} | https://cal.com/docs/api-reference/v1/authentication
salesforce-token | Salesforce | session id | 00D{a:12}!{o:80+} | kingfisher
salesforce-token | Salesforce | consumer key | 3MVG9{B:80+} | trufflehog
salesforce-token | Salesforce | refresh token | 5Aep861{B:80+} | trufflehog
zoho-token | Zoho | OAuth tokens | 1000.{h:32}.{h:32} | kingfisher
twilio-key | Twilio | API key | ^SK{x:32}! | https://www.twilio.com/docs/iam/api-keys
telnyx-key | Telnyx | API key | KEY0{U:31-35}_{a:22} | https://developers.telnyx.com/docs/development/api-fundamentals/authentication
persona-key | Persona | API key | persona_{production,sandbox}_{d:20+} | betterleaks
slack-token | Slack | bot token | xoxb-{n:9-14}-{d:20+} | https://docs.slack.dev/authentication/tokens
slack-token | Slack | user token | xoxp-{n:9-14}-{d:20+} | https://docs.slack.dev/authentication/tokens
slack-token | Slack | app-level token | xapp-{n:1}-{U:8-14}-{n:9-14}-{h:32+} | https://docs.slack.dev/authentication/tokens
slack-token | Slack | configuration token | xoxe.xox{b,p}-{n:1}-{d:40+} | https://docs.slack.dev/authentication/tokens
slack-token | Slack | refresh token of a configuration | xoxe-{n:1}-{d:40+} | https://docs.slack.dev/authentication/tokens
slack-token | Slack | workspace tokens, older | xox{a,r,o,s}-{d:8+} | gitleaks
slack-token | Slack | session token of a browser | xoxc-{d:40+} | betterleaks
slack-token | Slack | session cookie | xoxd-{%:40+} | betterleaks
slack-token | Slack | tokens whose inner form is unknown | xo{xb,xp,xe}-{d:20+} | gitleaks
slack-token | Slack | app-level token whose inner form is unknown | xapp-{d:20+} | kingfisher
discord-secret | Discord | token of a user with two factors | mfa.{d:80+} | https://discord.com/developers/docs/reference
lark-secret | Lark | id of an app | cli_{h:16}! | betterleaks
facebook-token | Meta | access token of a user or a page | ^EAA{a:80+} | gitleaks
facebook-token | Meta | access token of Instagram | IG{QVJ,QWR,AAJ}{d:80+} | https://developers.facebook.com/docs/instagram-platform
threads-token | Meta | access token of Threads | TH{QVJ,QWR,AAJ}{d:80+} | https://developers.facebook.com/docs/threads
twitter-token | X | bearer token of an app | ^AAAAAAAAAAAAAAAAAAAAA{%:60-120}! | gitleaks
pinterest-token | Pinterest | access token | pina_{d:20+} | betterleaks
linkedin-token | LinkedIn | client secret | WPL_AP{0,1}.{a:16}.{B:8+} | https://learn.microsoft.com/en-us/linkedin/shared/authentication/client-credentials-flow
tiktok-token | TikTok | token of a client | ^clt.{a:40+} | https://developers.tiktok.com/doc/client-access-token-management
tiktok-token | TikTok | access token | ^act.{a:20+}!{n:4} | https://developers.tiktok.com/doc/oauth-user-access-token-management
twitch-token | Twitch | token for chat | oauth:{l:30} | https://dev.twitch.tv/docs/chat/
twitch-token | Twitch | key of a stream | ^live_{n:8-12}_{a:30+} | noseyparker
onfido-token | Onfido | API token | api_{live,sandbox}{,_us,_ca}.{o:20+} | betterleaks
onesignal-key | OneSignal | API keys | os_v2_{app,org}_{l:80+} | betterleaks
pubnub-key | PubNub | secret key | sec-c-{B:40+} | https://www.pubnub.com/docs/general/basics/initialize-pubnub
pubnub-key | PubNub | publish key | pub-c-{u} | kingfisher
mapbox-token | Mapbox | secret token | sk.eyJ{o:40+} | trufflehog
mapbox-token | Mapbox | temporary token | tk.eyJ{o:40+} | kingfisher
maxmind-key | MaxMind | license key | {a:6}_{d:28-30}_mmk | gitleaks
adobe-secret | Adobe | client secret | p8e-{d:32} | kingfisher
apify-token | Apify | API token | apify_api_{a:34+} | trufflehog
adafruit-key | Adafruit | key of Adafruit IO | aio_{a:28} | kingfisher
ubidots-token | Ubidots | token | BBFF-{a:30} | kingfisher
blynk-secret | Blynk | client id | oa2-client-id_{d:32} | kingfisher
bitcoin-key | Bitcoin | extended private key | {x,y,z,t,u,v}prv{a:100+} | https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki
dropbox-token | Dropbox | short-lived token | ^sl.{o:130+} | noseyparker
webhook | Microsoft Teams | address of an incoming webhook | .webhook.office.com/webhookb2/{u}@{u}/IncomingWebhook/{h:32}/{u} | gitleaks
webhook | Microsoft Teams | address of an incoming webhook, older | outlook.office.com/webhook/{u}@{u}/IncomingWebhook/{h:32}/{u} | noseyparker
webhook | Zapier | address of a webhook | hooks.zapier.com/hooks/{catch,standard}/{n:4-10}/{a:6+} | kingfisher
webhook | Make | address of a webhook | .make.com/{l:32} | https://www.make.com/en/help/tools/webhooks
webhook | IFTTT | key in the address of a webhook | /with/key/{d:20+} | https://ifttt.com/maker_webhooks
webhook | Feishu | address of a bot | /open-apis/bot/v2/hook/{u} | https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
webhook | DingTalk | address of a robot | /robot/send?access_token={h:64} | https://open.dingtalk.com/document/robots/custom-robot-access
webhook | WeCom | address of a robot | /cgi-bin/webhook/send?key={u} | https://developer.work.weixin.qq.com/document/path/91770
webhook | Tines | address of a webhook | .tines.com/webhook/{h:32}/{h:32} | kingfisher
beamer-key | Beamer | API key | ^b_{B:44}! | gitleaks
`

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
newrelic-key | New Relic | license key with its region | {h:32-36}FFFFNRAL! | trufflehog
newrelic-key | New Relic | mobile app token | {AA,eu01xx}{h:36-40}-NRMA | trufflehog
datadog-token | Datadog | personal, service and application tokens | dd{pat,sat,app}_{a:32+} | https://docs.datadoghq.com/account_management/personal-access-tokens/
n8n-key | n8n | API key | n8n_api_{a:32+} | https://docs.n8n.io/api/authentication/
rpc-key | Ankr | key in the address of a network | rpc.ankr.com/{w:2-40}/{h:64} | https://www.ankr.com/docs/rpc-service/getting-started/basics-premium/
rpc-key | GetBlock | key in the address of a network | go.getblock.io/{h:32} | https://docs.getblock.io/getting-started/authentication-with-access-tokens
rpc-key | Chainstack | key in the address of a network | core.chainstack.com/{h:32} | https://docs.chainstack.com/docs/authentication-methods-for-different-scenarios
rpc-key | QuickNode | key in the address of a network | .quiknode.pro/{h:40} | https://www.quicknode.com/docs/ethereum
qstash-key | Upstash | signing key of QStash | ^sig_{a:28} | https://upstash.com/docs/qstash/howto/signature
influxdb-token | InfluxData | token of InfluxDB 3 | apiv3_{d:80+} | https://docs.influxdata.com/influxdb3/core/admin/tokens/
dbt-token | dbt | tokens of services and users | dbt{c,u}_{d:36+} | https://docs.getdbt.com/docs/dbt-cloud-apis/authentication
metabase-key | Metabase | API key | ^mb_{b:43}= | https://www.metabase.com/docs/latest/people-and-groups/api-keys
plane-key | Plane | API key | plane_api_{h:32} | https://developers.plane.so/api-reference/introduction
lambda-key | Lambda | API key | ^secret_{d:1-40}_{h:32}.{a:32} | https://docs.lambda.ai/public-cloud/cloud-api/
matrix-token | Matrix | tokens of Synapse | ^{syt,syr,syl}_{B:1-200}_{a:20}_{a:6} | https://github.com/element-hq/synapse
matrix-token | Matrix | tokens of its authentication service | ^{mat,mar,mct,mcr,mpt}_{a:30}_{a:6} | https://github.com/element-hq/matrix-authentication-service
anaconda-token | Anaconda | token in an address | conda.anaconda.org/t/{a:2}-{u} | https://docs.anaconda.com/anacondaorg/user-guide/tasks/work-with-accounts/
infura-key | Infura | key in the address of a network | .infura.io/v3/{h:32} | https://docs.metamask.io/services/get-started/endpoints/
alchemy-key | Alchemy | key in the address of a network | .g.alchemy.com/v2/{d:32} | https://www.alchemy.com/docs/reference/ethereum-api-quickstart
pixie-key | Pixie | API and deploy keys | px-{api,dep}-{u} | noseyparker
grafana-token | Grafana | service account token | glsa_{B:32+} | gitleaks
grafana-token | Grafana | cloud token | glc_{B:32+} | gitleaks
grafana-token | Grafana | API key, older | eyJrIjoi{b:40+} | gitleaks
logfire-token | Pydantic | Logfire token | pylf_v{n:1}_{L:2-12}_{a:40+} | https://pydantic.dev/docs/logfire/
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
ripple-key | XRP Ledger | seed of an Ed25519 key | ^sEd{a:28}! | https://xrpl.org/docs/references/protocol/data-types/base58-encodings
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
webhook | Better Stack | address of a heartbeat | /api/v1/heartbeat/{a:24}! | https://betterstack.com/docs/uptime/cron-and-heartbeat-monitor/
webhook | Sumo Logic | address of a source | /receiver/v1/http/{B:60+} | https://help.sumologic.com/docs/send-data/hosted-collectors/http-source/logs-metrics/
webhook | Loggly | address of an input | .loggly.com/{inputs,bulk}/{u} | https://documentation.solarwinds.com/en/success_center/loggly/content/admin/http-endpoint.htm
datadog-key | Datadog | address of the intake of logs | -intake.logs.datadoghq.com/v1/input/{h:32}! | https://docs.datadoghq.com/api/latest/logs/
webhook | Healthchecks | address of a check | hc-ping.com/{u} | https://healthchecks.io/docs/http_api/
webhook | Google | private address of a calendar | /private-{h:32}/basic.ics | https://support.google.com/calendar/answer/37648
webhook | Bark | address of a device | api.day.app/{a:20+} | https://bark.day.app/
webhook | Feishu | address of a bot, older | /open-apis/bot/hook/{h:32} | https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
webhook | Zapier | address of a server of MCP | mcp.zapier.com/api/mcp/s/{B:16+} | https://zapier.com/mcp
webhook | Pipedream | address of a server of MCP | mcp.pipedream.net/{u} | https://pipedream.com/docs/connect/mcp
webhook | Pipedream | address of a source | {l:12-20}.m.pipedream.net | https://pipedream.com/docs/workflows/building-workflows/triggers
webhook | Make | address of a server of MCP | .make.com/mcp/api/v1/u/{u} | https://developers.make.com/mcp-server
webhook | Composio | address of a server of MCP | mcp.composio.dev/composio/server/{u} | https://docs.composio.dev/docs/mcp-overview
ntfy-token | ntfy | access token | ^tk_{l:29}! | https://docs.ntfy.sh/config/#access-tokens
paseto | PASETO | token | ^v{1,2,3,4}.{local,public}.{d:60+} | https://github.com/paseto-standard/paseto-spec
webhook | ThingsBoard | address with a device's token | thingsboard.cloud/api/v1/{a:20} | noseyparker
`
