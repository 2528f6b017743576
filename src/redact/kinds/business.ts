/** Token types of payment, shops, mail, chat, marketing and social networks. See `kinds.ts` for the columns. */
export const business = `
stripe-key | Stripe | secret key | sk_{live,test,prod}_{a:10+} | https://docs.stripe.com/keys
stripe-key | Stripe | restricted key | rk_{live,test,prod}_{a:10+} | https://docs.stripe.com/keys
stripe-key | Stripe | signing secret of a webhook | whsec_{B:24+} | https://docs.stripe.com/webhooks
stripe-key | Stripe | client secret of a payment | ^{pi,seti}_{a:24}_secret_{a:25} | trufflehog
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
adyen-key | Adyen | API key | ^AQE{B:140+} | https://docs.adyen.com/development-resources/api-credentials/
checkout-key | Checkout.com | secret key | ^sk_{,sbox_}{l:26-28}{*,#}! | https://www.checkout.com/docs/developer-resources/api/manage-api-keys
checkout-key | Checkout.com | secret key, older | ^sk_{,test_}{u} | betterleaks
paystack-key | Paystack | secret key | sk_{live,test}_{l:40} | kingfisher
flutterwave-key | Flutterwave | secret key | FLWSECK{-,_TEST-}{l:12-40}{,-X} | gitleaks
razorpay-key | Razorpay | key id of live mode | rzp_{live,test}_{a:14} | trufflehog
paddle-key | Paddle | API key | pdl_{live,sdbx}_apikey_{l:26}_{a:22}_{a:3} | betterleaks
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
