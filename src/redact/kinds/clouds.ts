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
neon-key | Neon | API key | napi_{a:40+} | betterleaks
mongodb-secret | MongoDB Atlas | secret of a service account | mdb_sa_sk_{d:40} | kingfisher
cockroach-key | CockroachDB Cloud | API key | CCDB1_{a:22}_{a:40} | betterleaks
clickhouse-key | ClickHouse Cloud | key secret | ^4b1d{a:38} | gitleaks
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
