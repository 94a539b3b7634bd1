# syntax=docker/dockerfile:1

# The Node that the tests run (package.json). A release pins the digest too: docs/upgrading.md, Making a release.
# The packages that the programs need when they run: no development package, so none of the servers that npm start embeds.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY sdk/package.json sdk/
COPY packages/base/package.json packages/base/
COPY packages/command/package.json packages/command/
COPY packages/importer/package.json packages/importer/
RUN npm ci --omit=dev --no-audit --no-fund

# The workflows, bundled once for every worker, with the very packages that will run them.
FROM packages AS workflows
COPY . .
RUN node worker/bundle.ts /app/workflows.bundle.js

# The dashboard, with the development packages that build it.
FROM node:24.21.0-bookworm-slim AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY sdk sdk
RUN npm ci --no-audit --no-fund
COPY dashboard dashboard
RUN node_modules/.bin/vite build --config dashboard/vite.config.ts --outDir /app/dashboard.built

FROM node:24.21.0-bookworm-slim
# Workers push to repositories by these programs, and the API tests connections to them.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git openssh-client \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_HOST=0.0.0.0 WORKFLOW_BUNDLE=/app/workflows.bundle.js DASHBOARD_FOLDER=/app/dashboard.built
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=workflows /app/workflows.bundle.js workflows.bundle.js
COPY --from=dashboard /app/dashboard.built dashboard.built
# Everything that .dockerignore leaves, but for the sources of the dashboard.
COPY --exclude=dashboard . .
# Keeps what Node compiles, for that user and under the options of run.sh: the programs start in half the time.
RUN install -d -o node compile-cache
ENV NODE_COMPILE_CACHE=/app/compile-cache
USER node
RUN runtime/run.sh api --load-only && runtime/run.sh worker --load-only
EXPOSE 3000 9464
# One image, two programs: the API by default, `runtime/run.sh worker` for a worker, `node cli/main.ts admin …` for the operator.
CMD ["runtime/run.sh", "api"]
