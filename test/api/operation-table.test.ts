import { operations } from '../../api/operations.ts';
import type { KeyedOperation } from '../../api/framework/operation.ts';
import { roleAllows, roles } from '../../domain/access/permissions.ts';
import { forgetLimits } from '../support/limits.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';

/**
 * Who may call what, written out from the contract (docs/spec/service-api.md, Operation index; docs/spec/rulings.md, 2),
 * so that a wrong declaration is noticed: scope, permission, rate class, whether publishable keys are admitted, and
 * the action for which a key held by an agent needs an approval.
 */
const table = `
GET /ping                              -                -                 read      publishable  -
GET /site                              meta:read        -                 read      publishable  -
GET /usage                             meta:read        -                 read      -            -
GET /usage/ledger                      meta:read        -                 read      -            -
GET /billing                           meta:read        billing.manage    read      -            -
GET /billing/invoices                  meta:read        billing.manage    read      -            -
POST /billing/checkout                 keys:write       billing.manage    write     -            -
POST /billing/portal                   keys:write       billing.manage    write     -            -
PATCH /billing/auto-top-up             keys:write       billing.manage    write     -            -
GET /notifications                     meta:read        -                 read      -            -
POST /notifications/read               meta:read        -                 write     -            -
GET /notifications/settings            meta:read        -                 read      -            -
PATCH /notifications/settings          meta:read        -                 write     -            -
GET /notifications/channels            meta:read        -                 read      -            -
POST /notifications/channels           keys:write       settings.manage   write     -            -
GET /notifications/channels/:id        meta:read        -                 read      -            -
PATCH /notifications/channels/:id      keys:write       settings.manage   write     -            -
DELETE /notifications/channels/:id     keys:write       settings.manage   write     -            -
POST /notifications/channels/:id/test  keys:write       settings.manage   write     -            -
GET /audit-log                         meta:read        audit.read        read      -            -

GET /content-types                     meta:read        -                 read      publishable  -
GET /content-types/:id                 meta:read        -                 read      -            -
POST /content-types                    prompts:write    prompts.manage    write     -            -
PATCH /content-types/:id               prompts:write    prompts.manage    write     -            -
GET /pipeline/prompts                  prompts:write    prompts.manage    read      -            -
GET /pipeline/prompts/:stage/versions  prompts:write    prompts.manage    read      -            -
PATCH /pipeline/prompts/:stage         prompts:write    prompts.manage    write     -            -
DELETE /pipeline/prompts/:stage        prompts:write    prompts.manage    write     -            prompt.reset
POST /pipeline/prompts/:stage/try      prompts:write    prompts.manage    pipeline  -            prompt.try
GET /pipeline/voice                    prompts:write    prompts.manage    read      -            -
PATCH /pipeline/voice                  prompts:write    prompts.manage    write     -            -

GET /articles                          articles:read    articles.read     read      publishable  -
GET /articles/:id                      articles:read    articles.read     read      publishable  -
GET /articles/:id/meta                 articles:read    articles.read     read      publishable  -
POST /articles                         articles:write   articles.write    write     -            -
PATCH /articles/:id                    articles:write   articles.write    write     -            article.update_published
DELETE /articles/:id                   articles:write   articles.write    write     -            article.delete
POST /articles/:id/publish             articles:write   articles.write    write     -            article.publish
POST /articles/:id/unpublish           articles:write   articles.write    write     -            article.unpublish
POST /articles/:id/schedule            articles:write   articles.write    write     -            article.schedule
POST /articles/:id/cancel-schedule     articles:write   articles.write    write     -            article.schedule
GET /articles/:id/revisions            articles:read    articles.read     read      -            -
GET /articles/:id/revisions/:number    articles:read    articles.read     read      -            -
POST /articles/:id/revisions/:number/restore  articles:write  articles.write  write  -          article.update_published
POST /articles/bulk                    articles:write   articles.write    write     -            article.publish|article.unpublish|article.delete|article.schedule|article.update_published|articles.bulk
GET /articles/bulk/:id                 articles:read    articles.read     read      -            -
POST /articles/bulk/:id/cancel         articles:write   articles.write    write     -            -
GET /articles/:id/pending              articles:read    articles.read     read      -            -
PATCH /articles/:id/pending            articles:write   articles.write    write     -            pending_edit.schedule
DELETE /articles/:id/pending           articles:write   articles.write    write     -            pending_edit.schedule
POST /articles/:id/pending/publish     articles:write   articles.write    write     -            pending_edit.publish
POST /articles/:id/pending/schedule    articles:write   articles.write    write     -            pending_edit.schedule
POST /articles/:id/pending/cancel-schedule articles:write articles.write write     -            pending_edit.schedule
POST /articles/:id/review              articles:write   articles.write    write     -            -
GET /articles/:id/review               articles:read    articles.read     read      -            -
POST /articles/:id/review/approve      articles:write   articles.publish  write     -            -
POST /articles/:id/review/request-changes articles:write articles.publish write     -            -
DELETE /articles/:id/review            articles:write   articles.write    write     -            -
GET /reviews                           articles:read    articles.read     read      -            -
GET /articles/:id/claims               pipeline:read    pipeline.read     read      -            -
GET /articles/:id/notes                articles:read    articles.read     read      -            -
POST /articles/:id/notes               articles:write   articles.write    write     -            -
PATCH /articles/:id/notes/:note_id     articles:write   articles.write    write     -            -
DELETE /articles/:id/notes/:note_id    articles:write   articles.write    write     -            -
POST /articles/:id/preview-links       articles:write   articles.write    write     -            -
GET /articles/:id/preview-links        articles:write   articles.write    read      -            -
DELETE /articles/:id/preview-links/:link_id articles:write articles.write write     -            preview_link.delete

GET /categories                        taxonomy:read    taxonomy.read     read      publishable  -
GET /categories/:id                    taxonomy:read    taxonomy.read     read      publishable  -
POST /categories                       taxonomy:write   taxonomy.manage   write     -            -
PATCH /categories/:id                  taxonomy:write   taxonomy.manage   write     -            -
DELETE /categories/:id                 taxonomy:write   taxonomy.manage   write     -            category.delete
GET /tags                              taxonomy:read    taxonomy.read     read      publishable  -
GET /tags/:id                          taxonomy:read    taxonomy.read     read      publishable  -
POST /tags                             taxonomy:write   taxonomy.manage   write     -            -
PATCH /tags/:id                        taxonomy:write   taxonomy.manage   write     -            -
DELETE /tags/:id                       taxonomy:write   taxonomy.manage   write     -            tag.delete
GET /authors                           authors:read     -                 read      publishable  -
GET /authors/:id                       authors:read     -                 read      publishable  -
POST /authors                          authors:write    authors.manage    write     -            -
PATCH /authors/:id                     authors:write    authors.manage    write     -            -
DELETE /authors/:id                    authors:write    authors.manage    write     -            author.delete

GET /media                             media:read       media.manage      read      -            -
GET /media/:id                         media:read       media.manage      read      -            -
POST /media/upload-url                 media:write      media.manage      upload    -            -
POST /media                            media:write      media.manage      write     -            -
PATCH /media/:id                       media:write      media.manage      write     -            -
DELETE /media/:id                      media:write      media.manage      write     -            media.delete

GET /comments/posts/:slug              articles:read    -                 read      publishable  -
POST /comments                         engagement:write articles.write    write     -            -
GET /comments                          comments:read    comments.moderate read      -            -
GET /comments/settings                 comments:read    comments.moderate read      -            -
PATCH /comments/settings               comments:write   comments.moderate write     -            comments.settings
POST /comments/erase                   comments:write   comments.moderate write     -            comments.erase
POST /comments/:id/approve             comments:write   comments.moderate write     -            -
POST /comments/:id/hold                comments:write   comments.moderate write     -            -
POST /comments/:id/spam                comments:write   comments.moderate write     -            -
POST /comments/:id/reply               comments:write   comments.moderate write     -            -
DELETE /comments/:id                   comments:write   comments.moderate write     -            comment.delete

GET /content-plan                      pipeline:read    pipeline.read     read      -            -
GET /content-plan/autopilot            pipeline:read    pipeline.read     read      -            -
PATCH /content-plan/autopilot          pipeline:run     pipeline.run      write     -            autopilot.update
GET /content-plan/:id                  pipeline:read    pipeline.read     read      -            -
POST /content-plan                     articles:write   articles.write    write     -            -
PATCH /content-plan/:id                articles:write   articles.write    write     -            -
DELETE /content-plan/:id               articles:write   articles.write    write     -            plan_item.delete

GET /pipeline/runs                     pipeline:read    pipeline.read     read      -            -
GET /pipeline/runs/:id                 pipeline:read    pipeline.read     read      -            -
GET /pipeline/runs/:id/steps           pipeline:read    pipeline.read     read      -            -
POST /pipeline/runs                    pipeline:run     pipeline.run      pipeline  -            pipeline.run
POST /pipeline/runs/:id/cancel         pipeline:run     pipeline.run      write     -            -
GET /pipeline/articles/:id             pipeline:read    pipeline.read     read      -            -
POST /pipeline/articles/:id/requeue    pipeline:run     pipeline.run      pipeline  -            -
POST /pipeline/articles/:id/reject     pipeline:run     pipeline.run      write     -            -

GET /seo/scans                         pipeline:read    pipeline.read     read      -            -
GET /seo/scans/:id                     pipeline:read    pipeline.read     read      -            -
POST /seo/scans/:id/cancel             pipeline:run     pipeline.run      write     -            -
POST /seo/scans/site-crawl             pipeline:run     pipeline.run      pipeline  -            seo_scan.start
POST /seo/scans/on-page                pipeline:run     pipeline.run      pipeline  -            seo_scan.start
POST /seo/scans/structured-data        pipeline:run     pipeline.run      pipeline  -            seo_scan.start
POST /seo/scans/outbound-links         pipeline:run     pipeline.run      pipeline  -            seo_scan.start
POST /seo/scans/backlinks              pipeline:run     pipeline.run      pipeline  -            seo_scan.start
POST /seo/scans/internal-links         pipeline:run     pipeline.run      pipeline  -            seo_scan.start
POST /seo/scans/keyword-overlap        pipeline:run     pipeline.run      pipeline  -            seo_scan.start
GET /seo/findings                      pipeline:read    pipeline.read     read      -            -
PATCH /seo/findings/:id                articles:write   articles.write    write     -            -
POST /seo/findings/:id/plan            articles:write   articles.write    write     -            -
POST /seo/backlinks/import             articles:write   articles.write    upload    -            -
GET /seo/backlinks                     pipeline:read    pipeline.read     read      -            -
DELETE /seo/backlinks/:id              articles:write   articles.write    write     -            -

GET /delivery/connections              meta:read        -                 read      -            -
POST /delivery/connections             keys:write       settings.manage   write     -            connection.create
GET /delivery/connections/:id          meta:read        -                 read      -            -
PATCH /delivery/connections/:id        keys:write       settings.manage   write     -            connection.update
DELETE /delivery/connections/:id       keys:write       settings.manage   write     -            connection.delete
POST /delivery/connections/:id/test    keys:write       settings.manage   write     -            -
POST /delivery/cms/push                pipeline:run     pipeline.run      pipeline  -            cms.push
GET /delivery/pushes                   pipeline:read    pipeline.read     read      -            -
GET /delivery/pushes/:id               pipeline:read    pipeline.read     read      -            -

GET /keys                              keys:read        api_keys.manage   read      -            -
POST /keys                             keys:write       api_keys.manage   write     -            key.create
POST /keys/:id/rotate                  keys:write       api_keys.manage   write     -            key.rotate
DELETE /keys/:id                       keys:write       api_keys.manage   write     -            key.revoke
POST /auth/device/approve              keys:write       api_keys.manage   write     -            -
POST /auth/device/deny                 keys:write       api_keys.manage   write     -            -

GET /organisation                      meta:read        settings.manage   read      -            -
PATCH /organisation                    keys:write       settings.manage   write     -            -
PATCH /site                            keys:write       settings.manage   write     -            -
GET /team                              meta:read        team.manage       read      -            -
GET /team/:id                          meta:read        team.manage       read      -            -
POST /team/invitations                 keys:write       team.manage       write     -            member.add
PATCH /team/:id                        keys:write       team.manage       write     -            member.role
DELETE /team/:id                       keys:write       team.manage       write     -            member.remove

GET /approvals                         -                -                 read      -            -
GET /approvals/:id                     -                -                 read      -            -
POST /approvals/:id/approve            -                approvals.decide  write     -            -
POST /approvals/:id/deny               -                approvals.decide  write     -            -

GET /webhooks                          webhooks:read    webhooks.manage   read      -            -
GET /webhooks/:id                      webhooks:read    webhooks.manage   read      -            -
POST /webhooks                         webhooks:write   webhooks.manage   write     -            webhook.create
PATCH /webhooks/:id                    webhooks:write   webhooks.manage   write     -            webhook.update
DELETE /webhooks/:id                   webhooks:write   webhooks.manage   write     -            webhook.delete
POST /webhooks/:id/rotate-secret       webhooks:write   webhooks.manage   write     -            webhook.rotate_secret
GET /webhooks/:id/deliveries           webhooks:read    webhooks.manage   read      -            -
POST /webhooks/:id/deliveries/:delivery_id/redeliver webhooks:write webhooks.manage write -      -
POST /webhooks/:id/replay              webhooks:write   webhooks.manage   write     -            -
POST /webhooks/:id/ping                webhooks:write   webhooks.manage   write     -            -
GET /events                            webhooks:read    webhooks.manage   read      -            -
GET /events/:id                        webhooks:read    webhooks.manage   read      -            -
`;

const rows = table
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.trim().split(/ +/));

/** Requests per minute (docs/spec/service-api.md, Limits). */
const perMinute: Readonly<Record<string, string>> = {
  read: '600',
  write: '120',
  upload: '60',
  pipeline: '10',
};

const keyed = operations.filter((one): one is KeyedOperation => !one.keyless);

const api = await useApi();
let tenant: Tenant;
/** A key with every scope, of a member of each role. */
const keyOf = new Map<string, string>();

beforeAll(async () => {
  tenant = await buildTenant(api.db);
  for (const role of roles) {
    const memberId = await buildMember(api.db, tenant.organisationId, role);
    const { id, secret } = await buildKey(api.db, tenant.siteId, memberId);
    const all = 'update api_keys set scopes = (select scopes from api_keys o where o.id = $2) where id = $1';
    await api.db.pool.query(all, [id, await ownersKey()]);
    keyOf.set(role, secret);
  }
});

/** The id of a key with every scope. */
const ownersKey = async (): Promise<string> => (await buildKey(api.db, tenant.siteId, tenant.memberId)).id;

test('every operation that takes a key is declared as in the contract, and there is no other', () => {
  const declared = keyed.map(({ method, path, access, approval }) => [
    method,
    path,
    access.scope ?? '-',
    access.permission ?? '-',
    access.rateClass,
    access.publishable ? 'publishable' : '-',
    approval?.actions.join('|') ?? '-',
  ]);
  expect(declared.map((row) => row.join(' ')).sort()).toEqual(rows.map((row) => row.join(' ')).sort());
});

const nothing = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';
const ask = (method: string, path: string, key: string): Promise<Answer> =>
  api.request(method, path.replaceAll(/:\w+/g, nothing), { key });

describe.each(rows)('%s %s', (method, path, _scope, permission, rateClass) => {
  beforeAll(() => forgetLimits(api.db, tenant.siteId));

  test('is counted in its class', async () => {
    const answer = await ask(method as string, path as string, tenant.publishableKey);
    expect(answer.headers.get('ratelimit-limit')).toBe(perMinute[rateClass as string]);
  });

  test('is allowed for the roles with its permission only', async () => {
    for (const role of roles) {
      const answer = await ask(method as string, path as string, keyOf.get(role) as string);
      const allowed = permission === '-' || roleAllows(role, permission as never);
      expect([role, answer.status === 403]).toEqual([role, !allowed]);
    }
  });
});
