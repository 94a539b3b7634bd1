import type { Settings } from './settings.ts';

interface SettingText {
  readonly about: string;
  /** What counts without it, unless a default in settings.ts says so. */
  readonly unset?: string;
}

interface SettingGroup {
  readonly title: string;
  readonly settings: { readonly [Name in keyof Settings]?: SettingText };
}

const hosts = '`host:port`, joined by commas, reached by http and at private addresses too';

/** The words of docs/settings.md about each setting, in its order. */
export const settingGroups: readonly SettingGroup[] = [
  {
    title: 'The API',
    settings: {
      PORT: { about: 'Port of the API.' },
      HOST: { about: 'Address the API listens on; `0.0.0.0` for all.' },
      PUBLIC_URL: {
        about:
          'Origin under which clients reach the API, such as `https://api.example.com`. It stands in `Location`, device sign-in and OpenAPI.',
        unset: 'where the API listens',
      },
      SHUTDOWN_DELAY: {
        about:
          'How long the API takes connections after SIGTERM, while `/readyz` answers 503. Longer than the load balancer needs to see.',
        unset: '`2s`; `npm start`: `0s`',
      },
      TRUSTED_PROXIES: {
        about: 'Addresses and networks, such as `10.0.0.0/8,192.0.2.1`, whose `X-Forwarded-For` counts.',
        unset: 'none',
      },
      SECURITY_CONTACT: {
        about: 'Where weaknesses are reported, `https:` or `mailto:`, for `/.well-known/security.txt`.',
        unset: 'no such file',
      },
      PURGE_URL: {
        about: 'Gets `POST {"urls": […], "keys": […]}` when public pages change. Failures are retried.',
        unset: 'nothing is called',
      },
      DASHBOARD_FOLDER: {
        about: 'The built dashboard, for images.',
        unset: 'built at a start after a change',
      },
    },
  },
  {
    title: 'PostgreSQL',
    settings: {
      DATABASE_URL: {
        about:
          'PostgreSQL, version 17 or later, with a database in UTF-8. `sslmode=verify-full` and `sslrootcert` for [TLS](servers.md#postgresql).',
        unset: 'embedded',
      },
      MIGRATION_DATABASE_URL: {
        about: 'The same database as the role that owns the schema; for `migrate` and `npm start` alone.',
        unset: '`DATABASE_URL`',
      },
      ADMIN_DATABASE_URL: {
        about:
          'A role that may create roles; for `presswork admin roles` [alone](servers.md#the-roles-of-the-database).',
        unset: 'unset',
      },
      SUPPORT_DATABASE_URL: {
        about:
          'The role that `presswork admin roles` creates for [support](servers.md#the-roles-of-the-database).',
        unset: 'unset',
      },
      LISTEN_DATABASE_URL: {
        about:
          'PostgreSQL itself, for the connection on which the worker listens. Without it the worker polls once a second.',
        unset: '`DATABASE_URL`; none behind a pooler by transaction',
      },
      DATABASE_PASSWORD_FILE: {
        about: 'File with the password for database URLs that have none, read for each connection.',
        unset: 'unset',
      },
      DATABASE_PASSWORD_COMMAND: {
        about:
          'The same by a shell command, for tokens. It gets `PGHOST`, `PGPORT`, `PGDATABASE` and `PGUSER`, and has 4 s.',
        unset: 'unset',
      },
      DATABASE_POOL_MODE: {
        about:
          '`transaction` if a pooler gives out connections for one transaction each. Then `MIGRATION_DATABASE_URL` has to be set.',
      },
      DATABASE_POOL_SIZE: {
        about:
          'Connections of each process, 1 to 999. A worker has one more to listen, and is [sized by them](capacity.md).',
        unset: '`16`',
      },
    },
  },
  {
    title: 'Temporal',
    settings: {
      TEMPORAL_ADDRESS: { about: 'Temporal, as `host:port`.', unset: 'embedded' },
      TEMPORAL_NAMESPACE: { about: 'Namespace; an outside Temporal has to have it.', unset: '`default`' },
      TEMPORAL_TLS: {
        about: '`on` or `off`: whether the connection uses [TLS](servers.md#temporal).',
        unset: '`on` with an API key or a file for TLS',
      },
      TEMPORAL_TLS_CA_FILE: {
        about: "Certificates (PEM) of the authorities that Temporal's certificate may come from.",
        unset: "the system's authorities",
      },
      TEMPORAL_TLS_CERT_FILE: {
        about: 'Certificate (PEM) that this client shows to Temporal.',
        unset: 'none',
      },
      TEMPORAL_TLS_KEY_FILE: { about: 'Its private key (PEM, without a passphrase).', unset: 'none' },
      TEMPORAL_TLS_SERVER_NAME: {
        about: "Name in Temporal's certificate.",
        unset: 'the host of `TEMPORAL_ADDRESS`',
      },
      TEMPORAL_API_KEY: { about: 'API key, such as Temporal Cloud gives.', unset: 'none' },
      TEMPORAL_API_KEY_FILE: {
        about: 'File with the API key. A change of it takes effect within 10 s.',
        unset: 'none',
      },
      TEMPORAL_CONFIG_FILE: {
        about: "File with profiles of Temporal's own tools. The settings above come first.",
        unset: 'none',
      },
      TEMPORAL_PROFILE: {
        about: "Profile in it, or in the file that Temporal's tools keep in the home folder.",
        unset: '`default`',
      },
      TEMPORAL_ENCRYPTION_KEY: {
        about:
          '32 bytes in base64 that [encrypt](servers.md#encryption-of-payloads) payloads of workflows; several keys, newest first, are joined by commas.',
        unset: 'not encrypted',
      },
      WORKFLOW_BUNDLE: {
        about: 'The workflows as `node worker/bundle.ts FILE` has bundled them, for images.',
        unset: 'bundled at each start',
      },
    },
  },
  {
    title: 'S3 and media',
    settings: {
      S3_ENDPOINT: { about: 'S3 server.', unset: 'embedded; with `S3_REGION`: AWS' },
      S3_PUBLIC_ENDPOINT: {
        about: 'Address of the same server in upload URLs, if clients reach it by another one.',
        unset: '`S3_ENDPOINT`',
      },
      S3_FORCE_PATH_STYLE: {
        about:
          '`on`: the bucket is named in the path; `off`: in the host, such as `presswork.s3.example.com`.',
        unset: '`on` if `S3_ENDPOINT` is set',
      },
      S3_REGION: { about: 'Region.', unset: '`us-east-1`' },
      S3_BUCKET: { about: 'Bucket; an outside server has to have it.' },
      S3_ACCESS_KEY_ID: {
        about: 'Access key. Without it a role of the machine, a web identity and so on: [S3](servers.md#s3).',
        unset: 'embedded; else found by the SDK',
      },
      S3_SECRET_ACCESS_KEY: { about: 'Its secret.', unset: 'embedded' },
      MEDIA_PUBLIC_URL: {
        about:
          "Address in front of the bucket's `public/` objects, such as a CDN's. The API serves them as well.",
        unset: "the API's own origin",
      },
    },
  },
  {
    title: 'Secrets at rest',
    settings: {
      ENCRYPTION_KEY: {
        about:
          '32 bytes in base64 that seal stored secrets: `openssl rand -base64 32`. The same for every process. Several keys, newest first, are [joined by commas](runbook/processes.md#a-new-encryption_key).',
        unset: 'made once, kept in the data folder',
      },
    },
  },
  {
    title: 'Addresses that others choose',
    settings: {
      WEBHOOK_ALLOWED_HOSTS: {
        about: `Receivers of webhooks, channels, and documents of OAuth clients: ${hosts}. For development.`,
        unset: 'none',
      },
      WEBHOOK_RETRY_DELAYS: {
        about:
          'Waits before attempts 2 to 6 of a webhook, a mail or a message to a channel; each up to a quarter longer.',
        unset: '`10s,1m,10m,1h,6h`',
      },
      OUTBOUND_SCANS: {
        about: '`off` keeps scans from fetching pages; those that read articles only still run.',
        unset: '`on`',
      },
      SCAN_ALLOWED_HOSTS: {
        about: `Test sites that scans may fetch, and sources of articles: ${hosts}.`,
        unset: 'none',
      },
      SCAN_CA_FILE: {
        about: "Certificate authority (PEM) that scans trust besides the system's, for test sites.",
        unset: 'none',
      },
    },
  },
  {
    title: 'The language model',
    settings: {
      LLM_PROVIDER: {
        about:
          'What the endpoint speaks: `openai` (chat completions, as most servers do), `anthropic` (messages) or `google` (Gemini).',
        unset: '`openai`',
      },
      LLM_BASE_URL: {
        about:
          "The endpoint that writes the pipeline's articles, with the segment of its version: `https://api.example.com/v1`.",
        unset: "the offline writer; with `anthropic` and `google` the vendor's own",
      },
      LLM_API_KEY: { about: "Its key; needed for a vendor's own endpoint.", unset: 'none' },
      LLM_MODEL: { about: 'The model it is asked for; needed with any endpoint.', unset: 'unset' },
      LLM_MODEL_CLASSIFY: { about: 'Another model for the stage classify.', unset: '`LLM_MODEL`' },
      LLM_MODEL_EXTRACT: { about: 'Another model for the stage extract.', unset: '`LLM_MODEL`' },
      LLM_MODEL_PLAN: { about: 'Another model for the stage plan.', unset: '`LLM_MODEL`' },
      LLM_MODEL_GENERATE: { about: 'Another model for the stage generate.', unset: '`LLM_MODEL`' },
      LLM_MODEL_IMPROVE: { about: 'Another model for the stage improve.', unset: '`LLM_MODEL`' },
      LLM_SILENCE_TIMEOUT: {
        about: 'How long it may send nothing before a call is given up, from `1s` to `1h`.',
        unset: '`60s`',
      },
      LLM_TIMEOUT: { about: 'How long one answer may take in all, from `1s` to `1h`.', unset: '`10m`' },
      LLM_MAX_OUTPUT_TOKENS: {
        about: 'Tokens of an article at most; half of them for an outline, a quarter for a judgement.',
        unset: '`16000`',
      },
    },
  },
  {
    title: 'The search for sources',
    settings: {
      RESEARCH_PROVIDER: {
        about:
          'Who searches the web before facts for an article are collected: `searxng` (your own), `brave` or `tavily`. It is sent questions about topics.',
        unset: 'no search',
      },
      RESEARCH_URL: {
        about:
          'Its address, without the path of its API: `https://search.example.com`. A SearXNG has to allow the format `json`.',
        unset: "the vendor's own; needed for `searxng`",
      },
      RESEARCH_API_KEY: { about: 'Its key; needed for `brave` and `tavily`.', unset: 'none' },
    },
  },
  {
    title: 'Mail',
    settings: {
      SMTP_URL: {
        about:
          'The mail server, `smtp://` or `smtps://`, with user and password in it: `smtps://user:password@mail.example.com`. With `smtp://` the connection is encrypted if the server offers it. It needs `MAIL_FROM`.',
        unset: 'no mail is sent',
      },
      MAIL_FROM: {
        about: 'The sender, such as `Presswork <presswork@example.com>`. It needs `SMTP_URL`.',
        unset: 'no mail is sent',
      },
    },
  },
  {
    title: 'Stripe',
    settings: {
      STRIPE_SECRET_KEY: {
        about: "Stripe's key. It needs `STRIPE_WEBHOOK_SECRET`.",
        unset: 'nothing can be bought',
      },
      STRIPE_WEBHOOK_SECRET: {
        about: 'Secret of its webhook endpoint `{origin}/billing/stripe`. It needs `STRIPE_SECRET_KEY`.',
        unset: 'nothing can be bought',
      },
      STRIPE_PRICES: {
        about:
          'JSON object from names of packs and plans to price ids: `{"starter":"price_1","pro":"price_2"}`. `overage_documents` and `overage_media` price storage a month, for 1,000 documents and for 10⁹ bytes.',
        unset: '`{}`',
      },
      STRIPE_API_BASE: { about: 'Origin to call instead, for tests.', unset: "Stripe's own" },
    },
  },
  {
    title: 'Observation',
    settings: {
      LOG_LEVEL: { about: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.' },
      METRICS_PORT: {
        about:
          'Port on which each process shows its metrics to Prometheus. Under `npm start` the worker takes the next one.',
        unset: 'none',
      },
      METRICS_HOST: { about: 'Address it shows them on.' },
      OTEL_EXPORTER_OTLP_ENDPOINT: {
        about: 'Collector that gets [traces](deploy.md#traces) by OTLP over HTTP.',
        unset: 'none',
      },
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
        about: 'The same for traces alone, with its whole path.',
        unset: 'none',
      },
      OTEL_SDK_DISABLED: { about: '`true` sends no traces, whatever the others say.' },
      CANARY_KEY: {
        about: "Secret key of a Site of the canary's own, for `presswork admin canary`.",
        unset: 'unset',
      },
      CANARY_RECEIVER: {
        about: "Address that answers 2xx, to which the canary's article is delivered.",
        unset: 'unset',
      },
    },
  },
];
