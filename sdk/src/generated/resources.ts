// Generated from the declarations in api/ by npm run generate; do not edit.

import type { List } from '../list.ts';
import type { Options } from '../operation.ts';
import type { Empty, Result, WithItems } from '../result.ts';
import type {
  Ping,
  Site,
  SiteWrite,
  ContentTypeList,
  ContentTypeWrite,
  ContentTypeDetail,
  ContentTypeUpdate,
  Prompts,
  PromptWrite,
  PromptSaved,
  PromptVersionPage,
  PromptTry,
  PromptTried,
  Voice,
  VoiceUpdate,
  Usage,
  LedgerPage,
  Billing,
  AutoTopUp,
  CheckoutRequest,
  Checkout,
  PortalRequest,
  Portal,
  InvoicePage,
  AutoTopUpWrite,
  ArticlePage,
  ArticleCreate,
  Article,
  ReadArticle,
  ArticleWrite,
  PublishArticle,
  ArticleLifecycleState,
  ScheduleArticle,
  ArticleMeta,
  BulkRequest,
  BulkJob,
  ArticleRevisionPage,
  WholeArticleRevision,
  PendingEdit,
  PublishPendingEdit,
  SchedulePendingEdit,
  ReviewRequest,
  Review,
  ReviewApproval,
  ChangesRequest,
  ReviewPage,
  NotePage,
  Note,
  NoteWrite,
  NoteUpdate,
  PreviewLinkWrite,
  PreviewLinkWithUrl,
  PreviewLinkPage,
  CategoryPage,
  TaxonomyTermWrite,
  Category,
  TaxonomyTermUpdate,
  TagPage,
  Tag,
  AuthorPage,
  AuthorWrite,
  Author,
  AuthorUpdate,
  MediaPage,
  UploadRequest,
  UploadReservation,
  RegisterMedia,
  MediaAsset,
  MediaUpdate,
  PostComments,
  CommentWrite,
  SubmittedComment,
  CommentPage,
  Comment,
  CommentSettings,
  CommentSettingsUpdate,
  CommentErase,
  CommentEraseResult,
  CommentReplyWrite,
  PlanItemPage,
  PlanItem,
  PlanItemWrite,
  PlanItemUpdate,
  Autopilot,
  AutopilotUpdate,
  StartPipelineRun,
  PipelineRun,
  PipelineRunPage,
  PipelineStepPage,
  PipelineArticle,
  Rejection,
  ClaimPage,
  BacklinkImport,
  BacklinksImported,
  BacklinkPage,
  StartSiteCrawl,
  SeoScan,
  StartScan,
  SeoScanPage,
  FindingPage,
  Finding,
  FindingUpdate,
  ApiKeyPage,
  ApiKeyWrite,
  ApiKeyWithSecret,
  RotateApiKey,
  DeviceSignInWrite,
  DeviceSignIn,
  DeviceTokenRequest,
  DeviceToken,
  DeviceDecisionWrite,
  DeviceDecision,
  Organisation,
  OrganisationWrite,
  TeamMemberPage,
  TeamMember,
  TeamInvitation,
  TeamMemberWrite,
  NotificationPage,
  NotificationsRead,
  NotificationSettings,
  NotificationSettingsWrite,
  ChannelPage,
  Channel,
  ChannelWrite,
  ChannelUpdate,
  ChannelTest,
  AuditLogPage,
  ApprovalPage,
  ApprovalDetail,
  ApprovalDecided,
  WebhookPage,
  Webhook,
  WebhookWrite,
  WebhookWithSecret,
  WebhookUpdate,
  DeliveryPage,
  Redelivered,
  Replay,
  Replayed,
  Pinged,
  EventPage,
  Event,
  ConnectionPage,
  Connection,
  ConnectionWrite,
  ConnectionUpdate,
  ConnectionTest,
  PushWrite,
  Push,
  PushPage,
} from './schemas.ts';

/** The methods of a client: one for each operation of the API. */
export interface Resources {
  /**
   * Check a key and show its scopes: `GET /ping`
   *
   * Works with every key, also if its person has left the organisation. It changes nothing and costs no credits.
   */
  ping(options?: Options): Promise<Result<Ping>>;
  readonly site: SiteResource;
  readonly contentTypes: ContentTypesResource;
  readonly prompts: PromptsResource;
  readonly voice: VoiceResource;
  readonly usage: UsageResource;
  readonly billing: BillingResource;
  readonly articles: ArticlesResource;
  readonly reviews: ReviewsResource;
  readonly categories: CategoriesResource;
  readonly tags: TagsResource;
  readonly authors: AuthorsResource;
  readonly media: MediaResource;
  readonly comments: CommentsResource;
  readonly planItems: PlanItemsResource;
  readonly autopilot: AutopilotResource;
  readonly pipeline: PipelineResource;
  readonly seo: SeoResource;
  readonly keys: KeysResource;
  readonly deviceSignIn: DeviceSignInResource;
  readonly organisation: OrganisationResource;
  readonly team: TeamResource;
  readonly notifications: NotificationsResource;
  readonly auditLog: AuditLogResource;
  readonly approvals: ApprovalsResource;
  readonly webhooks: WebhooksResource;
  readonly events: EventsResource;
  readonly connections: ConnectionsResource;
  readonly pushes: PushesResource;
}

export interface SiteResource {
  /**
   * Describe the Site of the key: `GET /site`
   *
   * Scheduling times without an offset are in its `timezone`.
   */
  get(options?: Options): Promise<Result<Site>>;

  /**
   * Update the settings of the Site: `PATCH /site`
   *
   * Keys held by an agent are rejected, even with an approval.
   */
  update(body: SiteWrite, options?: Options<'ifMatch'>): Promise<Result<Site>>;
}

export interface ContentTypesResource {
  /**
   * List article formats: `GET /content-types`
   *
   * Lists the formats of the Site and of the platform by name, on one page. A format of the Site replaces the platform’s format with the same key.
   */
  list(options?: Options): List<ContentTypeList>;

  /**
   * Create an article format: `POST /content-types`
   *
   * A format with the key of a platform’s format replaces that one in this Site.
   */
  create(body: ContentTypeWrite, options?: Options<'idempotencyKey'>): Promise<Result<ContentTypeDetail>>;

  /**
   * Read an article format with its blueprint: `GET /content-types/{id}`
   *
   * Formats of the platform and of the Site can be read.
   */
  get(id: string, options?: Options): Promise<Result<ContentTypeDetail>>;

  /**
   * Update a format of the Site: `PATCH /content-types/{id}`
   *
   * The change applies to articles written afterwards. The key cannot change. A format of the platform cannot be changed (409).
   */
  update(id: string, body: ContentTypeUpdate, options?: Options<'ifMatch'>): Promise<Result<ContentTypeDetail>>;
}

export interface PromptsResource {
  /**
   * Read the prompts of all stages: `GET /pipeline/prompts`
   *
   * For each stage: the platform’s template, the template of the Site if there is one, and which of them is used.
   */
  list(options?: Options): Promise<Result<Prompts>>;

  /**
   * Save a template for a stage as a new version: `PATCH /pipeline/prompts/{stage}`
   *
   * It applies from the next article that reaches the stage. A template without some of the default’s placeholders is saved; missing_placeholders lists them.
   */
  save(stage: 'plan' | 'generate' | 'improve' | 'classify' | 'extract', body: PromptWrite, options?: Options): Promise<Result<PromptSaved>>;

  /**
   * Reset a stage to the platform’s template: `DELETE /pipeline/prompts/{stage}`
   *
   * Saved versions stay readable, and version numbers continue after them.
   */
  reset(stage: 'plan' | 'generate' | 'improve' | 'classify' | 'extract', options?: Options<'approval'>): Promise<Result<Empty>>;

  /**
   * List the saved templates of a stage, newest first: `GET /pipeline/prompts/{stage}/versions`
   *
   * Every save is a version, also if nothing changed. The versions stay after a reset.
   */
  listVersions(stage: 'plan' | 'generate' | 'improve' | 'classify' | 'extract', query?: ListPromptVersionsQuery, options?: Options): List<PromptVersionPage>;

  /**
   * Try a prompt on an article or a topic: `POST /pipeline/prompts/{stage}/try`
   *
   * Shows the prompt that the writer would get, which is free and fetches nothing. With `render_only: false` it also asks the writer: that passes the gates of `POST /pipeline/runs` and costs what the stage costs, unless it fails. Nothing is stored. An `Idempotency-Key` is ignored.
   */
  try(stage: 'plan' | 'generate' | 'improve' | 'classify' | 'extract', body: PromptTry, options?: Options<'approval'>): Promise<Result<PromptTried>>;
}

export interface VoiceResource {
  /**
   * Read the voice of the blog: `GET /pipeline/voice`
   *
   * How the Site wants the pipeline to write. Prompts get it as `{{voice}}`, with the beginnings of the sample articles.
   */
  get(options?: Options): Promise<Result<Voice>>;

  /**
   * Set the voice of the blog: `PATCH /pipeline/voice`
   *
   * Only the members that you send change. It applies from the next stage that begins. With `If-Match`, a newer version is 412.
   */
  update(body: VoiceUpdate, options?: Options<'ifMatch'>): Promise<Result<Voice>>;
}

export interface UsageResource {
  /**
   * Show the plan, limits, usage and balances: `GET /usage`
   *
   * `usage` is of this Site; `credits.balance` is shared by all Sites of the organisation. `spend_cap` is the limit of this Site and month, or null.
   */
  get(options?: Options): Promise<Result<Usage>>;

  /**
   * List changes of the credit balance, newest first: `GET /usage/ledger`
   *
   * Lists the charges and refunds of this Site, one for each stage of an article and each unit of a scan, and the grants, purchases, refunds and disputes of its organisation.
   */
  listLedger(query?: ListUsageLedgerQuery, options?: Options): List<LedgerPage>;
}

export interface BillingResource {
  /**
   * Show the plan, the subscription, the credits and what storage costs: `GET /billing`
   *
   * Of the whole organisation. `provider` is null if nothing can be bought here.
   */
  get(options?: Options): Promise<Result<Billing>>;

  /**
   * Buy packs of credits, or subscribe to a plan: `POST /billing/checkout`
   *
   * Answers a page of Stripe where a person pays. Credits and plan come with the payment, not with the return to `return_url`. The card of a pack is kept for automatic purchases. A second subscription is 409: the portal changes the first one. Without a payment provider it is 409 `FEATURE_UNAVAILABLE`.
   */
  startCheckout(body: CheckoutRequest, options?: Options<'idempotencyKey'>): Promise<Result<Checkout>>;

  /**
   * Open the portal for cards, the subscription and invoices: `POST /billing/portal`
   *
   * Answers a page of Stripe where a person changes cards and the subscription. The customer is created if there is none. Without a payment provider it is 409 `FEATURE_UNAVAILABLE`.
   */
  openPortal(body: PortalRequest, options?: Options): Promise<Result<Portal>>;

  /**
   * List invoices, newest first: `GET /billing/invoices`
   *
   * As Stripe has them now. Empty if the organisation has never bought anything.
   */
  listInvoices(query?: ListInvoicesQuery, options?: Options): List<InvoicePage>;

  /**
   * Set the automatic purchase of packs: `PATCH /billing/auto-top-up`
   *
   * Each charge that leaves less than `below` buys a pack with the saved card, one at a time and at most `monthly_limit` in a calendar month (UTC); switching it on below that buys one at once. Members that are left out stay. A declined card stops nothing except the purchase. Without a saved card it is 409 `PREREQUISITE_MISSING`: buy a pack with POST /billing/checkout first.
   */
  updateAutoTopUp(body: AutoTopUpWrite, options?: Options): Promise<Result<AutoTopUp>>;
}

export interface ArticlesResource {
  /**
   * List articles: `GET /articles`
   *
   * By default the most recently updated come first, without the long members: name those in `fields`. `status` and `origin` may be repeated. `q` searches, and combines with every filter and order. A publishable key sees published articles only, and may not ask for another status (403).
   */
  list<Field extends keyof Article = 'id' | 'status' | 'title' | 'slug' | 'excerpt' | 'featured_image_url' | 'category_id' | 'author_id' | 'format_id' | 'origin' | 'published_at' | 'scheduled_publish_at' | 'created_at' | 'updated_at'>(query?: ListArticlesQuery & { readonly fields?: readonly Field[] | undefined }, options?: Options): List<WithItems<ArticlePage, Pick<Article, Field | 'id'>>>;

  /**
   * Create a draft: `POST /articles`
   *
   * The body is optional: without one, an empty draft is created. Without `slug`, it is derived from the title, and gets `-2`, `-3`, … if it is taken; a slug that you send and that is taken is 409. `status` cannot be set here: see publish and schedule. `origin` says that a machine took part in the text; without it, it is a person’s.
   */
  create(body?: ArticleCreate, options?: Options<'idempotencyKey'>): Promise<Result<Article>>;

  /**
   * Read an article: `GET /articles/{id}`
   *
   * All members by default. `content_html` is given only if `fields` names it: the content as sanitised HTML. A content that is hostile to a renderer, such as one with 100 nested quotes, is 422, each time; 503 says that the service is too busy at the moment. For a publishable key, an article that is not published is 404.
   */
  get<Field extends keyof Required<ReadArticle> = 'id' | 'status' | 'title' | 'slug' | 'content' | 'excerpt' | 'featured_image_url' | 'seo_title' | 'seo_description' | 'seo_keywords' | 'faqs' | 'key_takeaways' | 'howto_steps' | 'comparison' | 'sources' | 'category_id' | 'author_id' | 'format_id' | 'tag_ids' | 'external_id' | 'origin' | 'published_at' | 'content_updated_at' | 'scheduled_publish_at' | 'created_at' | 'updated_at'>(id: string, query?: { readonly fields?: readonly Field[] | undefined }, options?: Options): Promise<Result<Pick<Required<ReadArticle>, Field | 'id'>>>;

  /**
   * Update an article: `PATCH /articles/{id}`
   *
   * Only the members that you send change; null clears one, and `tag_ids` replaces all tags. A published article may be edited, but not lose its title, slug or content; a new slug changes its URL, and the old URL is 404. An update without effect keeps the version. With `If-Match`, a newer version is 412. If the article is published or scheduled, it needs the permission articles.publish too, and is 409 on a Site that wants reviews.
   */
  update(id: string, body: ArticleWrite, options?: Options<'ifMatch' | 'approval'>): Promise<Result<Article>>;

  /**
   * Delete an article permanently: `DELETE /articles/{id}`
   *
   * There is no trash and no undo. Its comments and its pending edit are deleted too. If it was published, its URL is 404 from then on. If the article is published or scheduled, it needs the permission articles.publish too.
   */
  delete(id: string, options?: Options<'ifMatch' | 'approval'>): Promise<Result<Empty>>;

  /**
   * Publish an article: `POST /articles/{id}/publish`
   *
   * Needs a title, a slug and content (else 422), and a draft, a scheduled article or one that the pipeline has written (else 409). The times of the body count on the first publication only and must be in the past; by default they are now. Publishing again changes nothing. Needs the permission articles.publish too, and the approvals that the Site wants (409).
   */
  publish(id: string, body?: PublishArticle, options?: Options<'approval'>): Promise<Result<ArticleLifecycleState>>;

  /**
   * Unpublish an article: `POST /articles/{id}/unpublish`
   *
   * The article becomes a draft and keeps `published_at`, so that it returns to its place when it is published again. Its pending edit is discarded. On a draft, nothing changes. Needs the permission articles.publish too.
   */
  unpublish(id: string, options?: Options<'approval'>): Promise<Result<ArticleLifecycleState>>;

  /**
   * Schedule an article for publication: `POST /articles/{id}/schedule`
   *
   * Needs what publishing needs, and a time in the future. Without an offset, the time is in the timezone of the Site. Scheduling again moves the time. A published article is 409. Needs the permission articles.publish too, and the approvals that the Site wants (409).
   */
  schedule(id: string, body: ScheduleArticle, options?: Options<'approval'>): Promise<Result<ArticleLifecycleState>>;

  /**
   * Cancel a schedule; the article becomes a draft: `POST /articles/{id}/cancel-schedule`
   *
   * On a draft, nothing changes; any other status than scheduled is 409. Needs the permission articles.publish too.
   */
  cancelSchedule(id: string, options?: Options<'approval'>): Promise<Result<ArticleLifecycleState>>;

  /**
   * Read the metadata of the page of an article: `GET /articles/{id}/meta`
   *
   * Title, description, Open Graph, Twitter card and JSON-LD, ready to be printed into the page. Every `<` is written as `\u003c`, so that the answer can stand in a script element. For a publishable key, an article that is not published is 404.
   */
  getMeta(id: string, options?: Options): Promise<Result<ArticleMeta>>;

  /**
   * Do the same with up to 500 articles: `POST /articles/bulk`
   *
   * Each article gets exactly what the call for one article does, with the same events and refusals, once. The articles are worked on after the answer: read the job to see how far it is. What has to be looked up, such as an article or a category, or compared with the clock, fails for its item alone. Each action takes its own member and no other: `set_category` takes `category_id`, `set_author` takes `author_id`, `add_tags` and `remove_tags` take `tag_ids`, `schedule` takes `scheduled_publish_at`. Two jobs of a Site run at the same time; others are `queued`. 100 may be unfinished (409).
   */
  startBulkJob(body: BulkRequest, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<BulkJob>>;

  /**
   * Read a bulk job: `GET /articles/bulk/{id}`
   *
   * Poll it until `finished_at` is set. A job is kept for 30 days after its end.
   */
  getBulkJob(id: string, options?: Options): Promise<Result<BulkJob>>;

  /**
   * Cancel a bulk job: `POST /articles/bulk/{id}/cancel`
   *
   * Items that have not begun stay `waiting`; what was done stays done. A job that has ended is 409.
   */
  cancelBulkJob(id: string, options?: Options): Promise<Result<BulkJob>>;

  /**
   * List the revisions of an article, newest first: `GET /articles/{id}/revisions`
   *
   * Each change of a writable member is a revision, whoever made it: a key, an import or the pipeline. `number` is the version that the change made; versions made by publishing, scheduling and the like, or by deleting a category, tag or author, have none. The newest 100 are kept, until the article is deleted.
   */
  listRevisions(id: string, query?: ListArticleRevisionsQuery, options?: Options): List<ArticleRevisionPage>;

  /**
   * Read a revision with the article as it then was: `GET /articles/{id}/revisions/{number}`
   *
   * Has every writable member of the article. A revision never changes.
   */
  getRevision(id: string, number: number, options?: Options): Promise<Result<WholeArticleRevision>>;

  /**
   * Restore a revision: `POST /articles/{id}/revisions/{number}/restore`
   *
   * Updates the article with all members of the revision, exactly as a PATCH with them would: the same refusals and events, and a new revision, so that it can be undone by another restore. The status stays. A category, author, format or tag that does not exist any more is 422, and a slug that another article has by now is 409. If the article already is as it was then, the version stays. If the article is published or scheduled, it needs the permission articles.publish too, and is 409 on a Site that wants reviews.
   */
  restoreRevision(id: string, number: number, options?: Options<'ifMatch' | 'approval'>): Promise<Result<Article>>;

  /**
   * Read the pending edit of an article: `GET /articles/{id}/pending`
   *
   * `article` is the live article with the edit applied. Without a pending edit, 404.
   */
  getPendingEdit(id: string, options?: Options): Promise<Result<PendingEdit>>;

  /**
   * Edit a published article without showing it: `PATCH /articles/{id}/pending`
   *
   * Begins a pending edit, or changes it: members that you do not send stay as they are in it. Takes what an update of the article takes, and refuses what it would refuse. An article that is not published is 409: update it directly. `If-Match` takes the ETag of the pending edit. A further edit keeps the schedule and clears `conflict`. Unpublishing or deleting the article discards it. A scheduled edit needs the permission articles.publish too.
   */
  updatePendingEdit(id: string, body: ArticleWrite, options?: Options<'ifMatch' | 'approval'>): Promise<Result<PendingEdit>>;

  /**
   * Discard the pending edit of an article: `DELETE /articles/{id}/pending`
   *
   * Its schedule ends with it. The article stays as it is. Without a pending edit, 404. A scheduled edit needs the permission articles.publish too.
   */
  deletePendingEdit(id: string, options?: Options<'ifMatch' | 'approval'>): Promise<Result<Empty>>;

  /**
   * Publish the pending edit of an article: `POST /articles/{id}/pending/publish`
   *
   * Updates the article with the members of the edit, as one PATCH, and ends the edit. If the live article has changed since `base_version` in a member that the edit changes too, and not to the same value, it is 409 and `error.fields` names those members; `force` overwrites them. Needs the permission articles.publish too, and the approvals that the Site wants (409).
   */
  publishPendingEdit(id: string, body?: PublishPendingEdit, options?: Options<'approval'>): Promise<Result<Article>>;

  /**
   * Schedule the pending edit of an article: `POST /articles/{id}/pending/schedule`
   *
   * Needs a time in the future. Without an offset, it is in the timezone of the Site. Scheduling again moves the time. If something stands against the edit at that time, such as a conflict with the live article, it stays pending, without a schedule, and `conflict` names the fields. Needs the permission articles.publish too, and the approvals that the Site wants (409): an edit that is changed after it was scheduled needs them again at its time.
   */
  schedulePendingEdit(id: string, body: SchedulePendingEdit, options?: Options<'approval'>): Promise<Result<PendingEdit>>;

  /**
   * Cancel the schedule of a pending edit: `POST /articles/{id}/pending/cancel-schedule`
   *
   * The edit stays. On an edit without a schedule, nothing changes. Needs the permission articles.publish too.
   */
  cancelPendingEditSchedule(id: string, options?: Options<'approval'>): Promise<Result<PendingEdit>>;

  /**
   * Ask for a review: `POST /articles/{id}/review`
   *
   * Of the article, or of its pending edit if it has one. The body is optional. While a review is open, it is 409.
   */
  requestReview(id: string, body?: ReviewRequest, options?: Options<'idempotencyKey'>): Promise<Result<Review>>;

  /**
   * Read the newest review of an article: `GET /articles/{id}/review`
   *
   * Its ETag changes with the text that is reviewed. An article that has had no review is 404.
   */
  getReview(id: string, options?: Options): Promise<Result<Review>>;

  /**
   * Withdraw the open review of an article: `DELETE /articles/{id}/review`
   *
   * By the person who asked for it, or one with the permission articles.publish (else 403). Without an open review, 409. The review of a pending edit is withdrawn by itself when that is published or discarded.
   */
  withdrawReview(id: string, options?: Options): Promise<Result<Empty>>;

  /**
   * Approve a text: `POST /articles/{id}/review/approve`
   *
   * The body is optional. A text that has changed since the review was asked for is approved with its newest `revision`, or with `If-Match` and the present ETag of the review (else 409); a pending edit with the latter only. Where `required_reviews` is 2, the review stays `requested` until the second person has approved; the same person twice is 409. Whoever wrote the text may not decide about it, nor may keys held by an agent, nor others than the reviewers, admins and the owner if the review names reviewers (403). Without an open review, 409.
   */
  approveReview(id: string, body?: ReviewApproval, options?: Options<'ifMatch'>): Promise<Result<Review>>;

  /**
   * Ask the author for changes: `POST /articles/{id}/review/request-changes`
   *
   * Ends the review; the author asks for another one. What was approved before does not count any more. Those who may approve may do it. Without an open review, 409.
   */
  requestReviewChanges(id: string, body: ChangesRequest, options?: Options): Promise<Result<Review>>;

  /**
   * List the notes on an article, oldest first: `GET /articles/{id}/notes`
   *
   * Readers never see notes, nor do publishable keys.
   */
  listNotes(id: string, query?: ListNotesQuery, options?: Options): List<NotePage>;

  /**
   * Write a note on an article: `POST /articles/{id}/notes`
   *
   * Threads have one level: a reply to a reply joins the thread. A `quote` ties the note to a place, which it follows through edits; if its text is removed, to the nearest other occurrence. An article has 200 notes at most (409).
   */
  createNote(id: string, body: NoteWrite, options?: Options<'idempotencyKey'>): Promise<Result<Note>>;

  /**
   * Edit or resolve a note: `PATCH /articles/{id}/notes/{note_id}`
   *
   * The body by its author alone (403), `resolved` by anybody who may write.
   */
  updateNote(id: string, note_id: string, body: NoteUpdate, options?: Options<'ifMatch'>): Promise<Result<Note>>;

  /**
   * Delete a note, and its replies: `DELETE /articles/{id}/notes/{note_id}`
   *
   * By its author, or a person with the permission articles.publish (else 403).
   */
  deleteNote(id: string, note_id: string, options?: Options<'ifMatch'>): Promise<Result<Empty>>;

  /**
   * Create a link to the preview of an article: `POST /articles/{id}/preview-links`
   *
   * Everyone who has the link can read the article as it is when they open it, published or not, until the link expires or is deleted. The body is optional. Only this answer contains the address: the token in it is not stored. A Site has at most 10,000 links that have not expired, and an article 200 (409).
   */
  createPreviewLink(id: string, body?: PreviewLinkWrite, options?: Options<'idempotencyKey'>): Promise<Result<PreviewLinkWithUrl>>;

  /**
   * List the preview links of an article: `GET /articles/{id}/preview-links`
   *
   * Those that work, newest first, without their addresses.
   */
  listPreviewLinks(id: string, query?: ListPreviewLinksQuery, options?: Options): List<PreviewLinkPage>;

  /**
   * Delete a preview link; it stops working at once: `DELETE /articles/{id}/preview-links/{link_id}`
   *
   * A link that has expired is 404.
   */
  deletePreviewLink(id: string, link_id: string, options?: Options<'approval'>): Promise<Result<Empty>>;

  /**
   * List what an article claims, in the order of its text: `GET /articles/{id}/claims`
   *
   * The stage improve of the pipeline finds them, looks for each in the sources, and replaces those of before. They follow edits of the content as notes do; those that it does not have any more come last.
   */
  listClaims(id: string, query?: ListClaimsQuery, options?: Options): List<ClaimPage>;
}

export interface ReviewsResource {
  /**
   * List reviews, newest first: `GET /reviews`
   *
   * Of all articles. What waits for you: `state=requested` and `reviewer_id=me`.
   */
  list(query?: ListReviewsQuery, options?: Options): List<ReviewPage>;
}

export interface CategoriesResource {
  /**
   * List categories by name: `GET /categories`
   *
   * In alphabetical order. `article_count` counts all articles for a secret key, and published ones for a publishable key.
   */
  list<Field extends keyof Category = keyof Category>(query?: ListCategoriesQuery & { readonly fields?: readonly Field[] | undefined }, options?: Options): List<WithItems<CategoryPage, Pick<Category, Field | 'id'>>>;

  /**
   * Create a category: `POST /categories`
   *
   * Without `slug`, it is derived from the name. A slug that is taken is 409.
   */
  create(body: TaxonomyTermWrite, options?: Options<'idempotencyKey'>): Promise<Result<Category>>;

  /**
   * Read a category: `GET /categories/{id}`
   *
   * `article_count` counts all articles for a secret key, and published ones for a publishable key.
   */
  get(id: string, options?: Options): Promise<Result<Category>>;

  /**
   * Update a category: `PATCH /categories/{id}`
   *
   * Only the members that you send change. A new slug changes the URL of its page, and the old URL is 404. With `If-Match`, a newer version is 412.
   */
  update(id: string, body: TaxonomyTermUpdate, options?: Options<'ifMatch'>): Promise<Result<Category>>;

  /**
   * Delete a category; its articles stay: `DELETE /categories/{id}`
   *
   * The `category_id` of its articles becomes null.
   */
  delete(id: string, options?: Options<'approval'>): Promise<Result<Empty>>;
}

export interface TagsResource {
  /**
   * List tags by name: `GET /tags`
   *
   * In alphabetical order. `article_count` counts all articles for a secret key, and published ones for a publishable key.
   */
  list<Field extends keyof Tag = keyof Tag>(query?: ListTagsQuery & { readonly fields?: readonly Field[] | undefined }, options?: Options): List<WithItems<TagPage, Pick<Tag, Field | 'id'>>>;

  /**
   * Create a tag: `POST /tags`
   *
   * Without `slug`, it is derived from the name. A slug that is taken is 409.
   */
  create(body: TaxonomyTermWrite, options?: Options<'idempotencyKey'>): Promise<Result<Tag>>;

  /**
   * Read a tag: `GET /tags/{id}`
   *
   * `article_count` counts all articles for a secret key, and published ones for a publishable key.
   */
  get(id: string, options?: Options): Promise<Result<Tag>>;

  /**
   * Update a tag: `PATCH /tags/{id}`
   *
   * Only the members that you send change. A new slug changes the URL of its page, and the old URL is 404. With `If-Match`, a newer version is 412.
   */
  update(id: string, body: TaxonomyTermUpdate, options?: Options<'ifMatch'>): Promise<Result<Tag>>;

  /**
   * Delete a tag; its articles stay: `DELETE /tags/{id}`
   *
   * It disappears from `tag_ids` of its articles.
   */
  delete(id: string, options?: Options<'approval'>): Promise<Result<Empty>>;
}

export interface AuthorsResource {
  /**
   * List authors by name: `GET /authors`
   *
   * In alphabetical order. `article_count` counts all articles for a secret key, and published ones for a publishable key.
   */
  list<Field extends keyof Author = keyof Author>(query?: ListAuthorsQuery & { readonly fields?: readonly Field[] | undefined }, options?: Options): List<WithItems<AuthorPage, Pick<Author, Field | 'id'>>>;

  /**
   * Create an author: `POST /authors`
   *
   * Without `slug`, it is derived from the name. A slug that is taken is 409.
   */
  create(body: AuthorWrite, options?: Options<'idempotencyKey'>): Promise<Result<Author>>;

  /**
   * Read an author: `GET /authors/{id}`
   *
   * `article_count` counts all articles for a secret key, and published ones for a publishable key.
   */
  get(id: string, options?: Options): Promise<Result<Author>>;

  /**
   * Update an author: `PATCH /authors/{id}`
   *
   * Only the members that you send change. A new slug changes the URL of its page, and the old URL is 404. With `If-Match`, a newer version is 412.
   */
  update(id: string, body: AuthorUpdate, options?: Options<'ifMatch'>): Promise<Result<Author>>;

  /**
   * Delete an author; its articles stay: `DELETE /authors/{id}`
   *
   * The `author_id` of its articles becomes null.
   */
  delete(id: string, options?: Options<'approval'>): Promise<Result<Empty>>;
}

export interface MediaResource {
  /**
   * List the media library, newest first: `GET /media`
   *
   * `bucket` filters by the kind of image, `q` searches file names and alt texts.
   */
  list<Field extends keyof MediaAsset = keyof MediaAsset>(query?: ListMediaQuery & { readonly fields?: readonly Field[] | undefined }, options?: Options): List<WithItems<MediaPage, Pick<MediaAsset, Field | 'id'>>>;

  /**
   * Register an upload as an asset of the library: `POST /media`
   *
   * Step 3 of 3. The type is determined from the bytes. An upload that is not an allowed image is rejected and deleted.
   */
  register(body: RegisterMedia, options?: Options<'idempotencyKey'>): Promise<Result<MediaAsset>>;

  /**
   * Reserve an upload: `POST /media/upload-url`
   *
   * Step 1 of 3. PUT the bytes to upload_url with the given headers, then register the upload. A Site has at most 200 open reservations (409 beyond that).
   */
  reserveUpload(body: UploadRequest, options?: Options<'idempotencyKey'>): Promise<Result<UploadReservation>>;

  /**
   * Read a media asset: `GET /media/{id}`
   *
   * `width` and `height` are as displayed, with the orientation of the EXIF data.
   */
  get(id: string, options?: Options): Promise<Result<MediaAsset>>;

  /**
   * Update the alternative text of a media asset: `PATCH /media/{id}`
   *
   * Nothing else of an asset can change: its bytes never do.
   */
  update(id: string, body: MediaUpdate, options?: Options<'ifMatch'>): Promise<Result<MediaAsset>>;

  /**
   * Delete a media asset and its bytes: `DELETE /media/{id}`
   *
   * The bytes are deleted from storage. Articles are not rewritten: they show a broken image where they use it.
   */
  delete(id: string, options?: Options<'approval'>): Promise<Result<Empty>>;
}

export interface CommentsResource {
  /**
   * List the approved comments of an article, oldest first: `GET /comments/posts/{slug}`
   *
   * A page has 100 comments. The parent_id of a reply is the first comment of its thread. All texts are plain text: escape them before you show them.
   */
  listOfArticle(slug: string, query?: ListCommentsOfArticleQuery, options?: Options): List<PostComments>;

  /**
   * Submit a reader's comment: `POST /comments`
   *
   * Called by the site's own server. Repeating a comment within a day gives the first answer, with duplicate true. A 429 names the exceeded limit in error.limit.
   */
  submit(body: CommentWrite, options?: Options<'idempotencyKey'>): Promise<Result<SubmittedComment>>;

  /**
   * List comments for moderation, newest first: `GET /comments`
   *
   * Comments of every status, with the readers’ addresses. `counts` is of the whole Site, regardless of the filters.
   */
  list(query?: ListCommentsQuery, options?: Options): List<CommentPage>;

  /**
   * Read the comment settings: `GET /comments/settings`
   *
   * A new Site has comments switched off.
   */
  getSettings(options?: Options): Promise<Result<CommentSettings>>;

  /**
   * Update the comment settings: `PATCH /comments/settings`
   *
   * With enabled false, all comments are hidden everywhere, and none is deleted.
   */
  updateSettings(body: CommentSettingsUpdate, options?: Options<'approval'>): Promise<Result<CommentSettings>>;

  /**
   * Delete every comment of an e-mail address, with the replies: `POST /comments/erase`
   *
   * The address is matched case-insensitively. This cannot be undone.
   */
  erase(body: CommentErase, options?: Options<'approval'>): Promise<Result<CommentEraseResult>>;

  /**
   * Approve a comment: `POST /comments/{id}/approve`
   *
   * From every status. If the comment has this status already, nothing changes.
   */
  approve(id: string, options?: Options): Promise<Result<Comment>>;

  /**
   * Hold a comment for review: `POST /comments/{id}/hold`
   *
   * From every status. If the comment has this status already, nothing changes.
   */
  hold(id: string, options?: Options): Promise<Result<Comment>>;

  /**
   * Mark a comment as spam; it is deleted after 30 days: `POST /comments/{id}/spam`
   *
   * From every status. If the comment has this status already, nothing changes.
   */
  markAsSpam(id: string, options?: Options): Promise<Result<Comment>>;

  /**
   * Reply as the Site: `POST /comments/{id}/reply`
   *
   * The reply is approved at once and is shown as one by the Site. The comment must be approved (else 409). A reply to a reply joins its thread.
   */
  replyTo(id: string, body: CommentReplyWrite, options?: Options<'idempotencyKey'>): Promise<Result<Comment>>;

  /**
   * Delete a comment with its replies: `DELETE /comments/{id}`
   *
   * Readers see neither it nor its replies from then on. There is no undo.
   */
  delete(id: string, options?: Options<'approval'>): Promise<Result<Empty>>;
}

export interface PlanItemsResource {
  /**
   * List the content plan: `GET /content-plan`
   *
   * In the order of the plan, or by target date. An item that is moved while pages are read may appear twice, or not at all.
   */
  list(query?: ListPlanItemsQuery, options?: Options): List<PlanItemPage>;

  /**
   * Add an item to the content plan: `POST /content-plan`
   *
   * It becomes the last of the plan. It costs nothing: `POST /pipeline/runs` with `plan_item_ids` has articles written. A plan has 10,000 items at most (409). A key held by an agent may not set `approved` (403).
   */
  create(body: PlanItemWrite, options?: Options<'idempotencyKey'>): Promise<Result<PlanItem>>;

  /**
   * Read an item of the content plan: `GET /content-plan/{id}`
   *
   * Its `status` follows the run that took it and the article that was made of it.
   */
  get(id: string, options?: Options): Promise<Result<PlanItem>>;

  /**
   * Update or move an item of the content plan: `PATCH /content-plan/{id}`
   *
   * Only the members that you send change; `after` moves the item. An item that a run has taken (`started` or `done`) keeps its title (409), and keeps its status while that run is running (409). Set back to `idea` or `approved`, it can be taken again. A key held by an agent may not set `approved` (403). With `If-Match`, a newer version is 412.
   */
  update(id: string, body: PlanItemUpdate, options?: Options<'ifMatch'>): Promise<Result<PlanItem>>;

  /**
   * Delete an item of the content plan: `DELETE /content-plan/{id}`
   *
   * Its article stays. While the run that took it is running, it is 409.
   */
  delete(id: string, options?: Options<'ifMatch' | 'approval'>): Promise<Result<Empty>>;
}

export interface AutopilotResource {
  /**
   * Read the autopilot of the content plan: `GET /content-plan/autopilot`
   *
   * When it starts runs by itself, and what became of the last time: `last.error` is what the gates of a run refused.
   */
  get(options?: Options): Promise<Result<Autopilot>>;

  /**
   * Set the autopilot of the content plan: `PATCH /content-plan/autopilot`
   *
   * While it is enabled, it starts a run with the first approved items of the plan on the given weekdays. Each run passes the gates of `POST /pipeline/runs`, and costs what such a run costs.
   */
  update(body: AutopilotUpdate, options?: Options<'approval'>): Promise<Result<Autopilot>>;
}

export interface PipelineResource {
  /**
   * Start a run of the AI pipeline: `POST /pipeline/runs`
   *
   * A run processes topics and articles, or items of the content plan, or the unfinished articles of another run, or, with an empty body, all articles that earlier runs left unfinished.
   */
  startRun(body?: StartPipelineRun, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<PipelineRun>>;

  /**
   * List runs, newest first: `GET /pipeline/runs`
   *
   * Runs of every status. The status of each article is the one at the time of reading.
   */
  listRuns(query?: ListPipelineRunsQuery, options?: Options): List<PipelineRunPage>;

  /**
   * Read a run: `GET /pipeline/runs/{id}`
   *
   * Poll it, or subscribe to `pipeline_run.finished`. A run that credits or the spend cap ended is `partial`, with a `reason`; completed stages are kept and charged.
   */
  getRun(id: string, options?: Options): Promise<Result<PipelineRun>>;

  /**
   * List what was asked of the writer in a run, oldest first: `GET /pipeline/runs/{id}/steps`
   *
   * One for each attempt at a stage of an article, kept for 30 days. Prompts and answers are shown with the permission prompts.manage only.
   */
  listSteps(id: string, query?: ListPipelineStepsQuery, options?: Options): List<PipelineStepPage>;

  /**
   * Cancel a run at its next stage boundary: `POST /pipeline/runs/{id}/cancel`
   *
   * The stage in progress ends and is charged. A later run takes what is unfinished. A run that has ended is 409.
   */
  cancelRun(id: string, options?: Options): Promise<Result<PipelineRun>>;

  /**
   * Read what the pipeline knows of an article: `GET /pipeline/articles/{id}`
   *
   * Score, outline, what the last stage proposes, how each stage went, and who rejected it. Articles that left the pipeline have it, too; one that never was there is 404.
   */
  getArticle(id: string, options?: Options): Promise<Result<PipelineArticle>>;

  /**
   * Reset an article to its last completed stage: `POST /pipeline/articles/{id}/requeue`
   *
   * For an article that is failed, rejected, skipped or needs_improvement (else 409); the next run continues from there. A rejected one returns to its status before. It is free.
   */
  requeueArticle(id: string, options?: Options): Promise<Result<ArticleLifecycleState>>;

  /**
   * Take an article out of the pipeline: `POST /pipeline/articles/{id}/reject`
   *
   * From every status of the pipeline but `rejected` (409); while a run works on the article it is 409, too. No run takes a rejected article, and it cannot be published. A requeue restores its status. It is free.
   */
  rejectArticle(id: string, body?: Rejection, options?: Options): Promise<Result<ArticleLifecycleState>>;
}

export interface SeoResource {
  /**
   * Import links from other sites: `POST /seo/backlinks/import`
   *
   * Reads the list of links that Ahrefs, Semrush or Search Console exports, or a file with the columns `source_url,target_url` and if you like `anchor`, `rel`, `first_seen` and `last_seen`. The columns are found by their names or, if these are translated, by what is in them; they are separated by commas, semicolons or tabs. A file without targets is about the home page. A link is its source and its target: one that is known is updated. Lines that are no links are rejected, the others are imported. It is free. A Site has at most 200,000 backlinks (409).
   */
  importBacklinks(body: BacklinkImport, options?: Options<'idempotencyKey'>): Promise<Result<BacklinksImported>>;

  /**
   * List the links from other sites: `GET /seo/backlinks`
   *
   * Those imported last come first. `status` may be repeated.
   */
  listBacklinks(query?: ListBacklinksQuery, options?: Options): List<BacklinkPage>;

  /**
   * Delete a link from another site: `DELETE /seo/backlinks/{id}`
   *
   * The next import of a file that has it adds it again.
   */
  deleteBacklink(id: string, options?: Options): Promise<Result<Empty>>;

  /**
   * Crawl the Site’s pages: `POST /seo/scans/site-crawl`
   *
   * Follows the links of pages, on one origin, and looks for broken pages, redirects, and what search engines stumble over. 10 pages are a unit. Units are charged before they begin, and a unit that has begun is charged whole. If credits or the spend cap end it, the scan is `partial`; `resume_scan_id` goes on with what is left.
   */
  startSiteCrawl(body?: StartSiteCrawl, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<SeoScan>>;

  /**
   * Check articles for what search engines and readers expect: `POST /seo/scans/on-page`
   *
   * Looks at titles, descriptions, headings, images, length and readability of the stored articles. It fetches nothing. 10 articles are a unit. Units are charged before they begin, and a unit that has begun is charged whole. If credits or the spend cap end it, the scan is `partial`; `resume_scan_id` goes on with what is left.
   */
  startOnPageScan(body?: StartScan, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<SeoScan>>;

  /**
   * Check the structured data of articles’ pages: `POST /seo/scans/structured-data`
   *
   * Fetches the pages of published articles and checks their JSON-LD. 5 pages are a unit. Units are charged before they begin, and a unit that has begun is charged whole. If credits or the spend cap end it, the scan is `partial`; `resume_scan_id` goes on with what is left.
   */
  startStructuredDataScan(body?: StartScan, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<SeoScan>>;

  /**
   * Check the links of articles to other sites: `POST /seo/scans/outbound-links`
   *
   * Fetches what articles link to. 50 links are a unit. Units are charged before they begin, and a unit that has begun is charged whole. If credits or the spend cap end it, the scan is `partial`; `resume_scan_id` goes on with what is left.
   */
  startOutboundLinkScan(body?: StartScan, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<SeoScan>>;

  /**
   * Check imported links from other sites: `POST /seo/scans/backlinks`
   *
   * Looks whether the pages still link here, how, and to what. 20 links are a unit. Import them first: `POST /seo/backlinks/import`. Units are charged before they begin, and a unit that has begun is charged whole. If credits or the spend cap end it, the scan is `partial`; `resume_scan_id` goes on with what is left.
   */
  startBacklinkScan(body?: StartScan, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<SeoScan>>;

  /**
   * Check the links between articles: `POST /seo/scans/internal-links`
   *
   * Finds articles that none links to, links to articles that are not there, and related articles without a link. Related are those with a keyword or two tags in common. It fetches nothing. 10 articles are a unit. Units are charged before they begin, and a unit that has begun is charged whole. If credits or the spend cap end it, the scan is `partial`; `resume_scan_id` goes on with what is left.
   */
  startInternalLinkScan(body?: StartScan, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<SeoScan>>;

  /**
   * Find articles that compete for a keyword: `POST /seo/scans/keyword-overlap`
   *
   * Finds published articles that have one of `seo_keywords` in common. It fetches nothing. 10 articles are a unit. Units are charged before they begin, and a unit that has begun is charged whole. If credits or the spend cap end it, the scan is `partial`; `resume_scan_id` goes on with what is left.
   */
  startKeywordOverlapScan(body?: StartScan, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<SeoScan>>;

  /**
   * List scans, newest first: `GET /seo/scans`
   *
   * Scans of every kind and status; `kind` limits them to one.
   */
  listScans(query?: ListScansQuery, options?: Options): List<SeoScanPage>;

  /**
   * Read a scan: `GET /seo/scans/{id}`
   *
   * Poll it, or subscribe to `seo_scan.finished`. What it found is in `GET /seo/findings`.
   */
  getScan(id: string, options?: Options): Promise<Result<SeoScan>>;

  /**
   * Cancel a scan at its next unit boundary: `POST /seo/scans/{id}/cancel`
   *
   * The unit in progress ends and is charged. Another scan can take what is left. A scan that has ended is 409.
   */
  cancelScan(id: string, options?: Options): Promise<Result<SeoScan>>;

  /**
   * List findings, newest first: `GET /seo/findings`
   *
   * The faults that scans found, each once, however often it was found.
   */
  listFindings(query?: ListFindingsQuery, options?: Options): List<FindingPage>;

  /**
   * Dismiss a finding, or open it again: `PATCH /seo/findings/{id}`
   *
   * A dismissed finding stays dismissed, whether later scans find it again or not. An open one is for scans to fix.
   */
  updateFinding(id: string, body: FindingUpdate, options?: Options): Promise<Result<Finding>>;

  /**
   * Add an item to the content plan that mends a finding: `POST /seo/findings/{id}/plan`
   *
   * The item is the last of the plan; its notes say what was found and where. Each call adds one. A plan has 10,000 items at most (409).
   */
  planFinding(id: string, options?: Options<'idempotencyKey'>): Promise<Result<PlanItem>>;
}

export interface KeysResource {
  /**
   * List the keys of the Site: `GET /keys`
   *
   * Shows what is known of a key except its secret. Revoked and expired keys are included.
   */
  list(query?: ListKeysQuery, options?: Options): List<ApiKeyPage>;

  /**
   * Create a key: `POST /keys`
   *
   * Scopes that the creator or the calling key lacks are left out, and the new key expires with the calling key at the latest. With `drafts_only` it may only write what no reader sees; every key that it creates is such a key too. Only this answer contains the secret. A Site can have 1,000 keys that are neither revoked nor expired; beyond that the answer is 409.
   */
  create(body: ApiKeyWrite, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<ApiKeyWithSecret>>;

  /**
   * Give a key a new secret: `POST /keys/{id}/rotate`
   *
   * The old secret stays valid for grace_seconds; with 0 it stops working at once, as do all older ones. At most 20 old secrets of a key are in their grace (409 beyond that, but for grace_seconds 0). The calling key must have every scope that the rotated key can use, and a key held by an agent can only rotate keys held by agents, a key for drafts only keys for drafts. Every key may rotate itself.
   */
  rotate(id: string, body?: RotateApiKey, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<ApiKeyWithSecret>>;

  /**
   * Revoke a key permanently: `DELETE /keys/{id}`
   *
   * The key stops working at once; its record stays. A key may revoke itself. Revoking it again changes nothing.
   */
  revoke(id: string, options?: Options<'approval'>): Promise<Result<Empty>>;
}

export interface DeviceSignInResource {
  /**
   * Start the sign-in of a device: `POST /auth/device`
   *
   * Follows RFC 8628. Show the person user_code and verification_uri, and poll POST /auth/device/token with device_code until they decide. At most 1,000 requests for access are open in one network (409 beyond that).
   */
  start(body: DeviceSignInWrite, options?: Options): Promise<Result<DeviceSignIn>>;

  /**
   * Poll a sign-in, and collect the key: `POST /auth/device/token`
   *
   * Wait interval seconds between two polls. An earlier poll gets slow_down, and the interval grows by 5. The first poll after the approval creates the key; only its answer contains the secret.
   */
  poll(body: DeviceTokenRequest, options?: Options): Promise<Result<DeviceToken>>;

  /**
   * Approve the sign-in of a device: `POST /auth/device/approve`
   *
   * The new key belongs to the Site and the person of the deciding key. It has no scope that the deciding key lacks, and expires with it at the latest; it is for drafts only if the deciding key is, or if the device asked for that. If the deciding key is revoked or expires before the device collects its key, the device gets none.
   */
  approve(body: DeviceDecisionWrite, options?: Options): Promise<Result<DeviceDecision>>;

  /**
   * Deny the sign-in of a device: `POST /auth/device/deny`
   *
   * The new key belongs to the Site and the person of the deciding key. It has no scope that the deciding key lacks, and expires with it at the latest; it is for drafts only if the deciding key is, or if the device asked for that. If the deciding key is revoked or expires before the device collects its key, the device gets none.
   */
  deny(body: DeviceDecisionWrite, options?: Options): Promise<Result<DeviceDecision>>;
}

export interface OrganisationResource {
  /**
   * Read the settings of the organisation: `GET /organisation`
   *
   * The settings of the organisation to which the Site of the key belongs.
   */
  get(options?: Options): Promise<Result<Organisation>>;

  /**
   * Update the settings of the organisation, for all its Sites: `PATCH /organisation`
   *
   * Keys held by an agent are rejected, even with an approval.
   */
  update(body: OrganisationWrite, options?: Options<'ifMatch'>): Promise<Result<Organisation>>;
}

export interface TeamResource {
  /**
   * List the members of the organisation: `GET /team`
   *
   * Members of the organisation, which all its Sites share.
   */
  listMembers(query?: ListTeamMembersQuery, options?: Options): List<TeamMemberPage>;

  /**
   * Add a member: `POST /team/invitations`
   *
   * The membership starts at once. If the service sends mail, the person is mailed a link to set a password; otherwise an administrator makes one in the dashboard, or the operator sets one. The role must not be owner. At most 50 an hour and organisation.
   */
  inviteMember(body: TeamInvitation, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<TeamMember>>;

  /**
   * Read a member: `GET /team/{id}`
   *
   * `can_sign_in` is false until a password has been set, by a link that an administrator makes in the dashboard or by the operator.
   */
  getMember(id: string, options?: Options): Promise<Result<TeamMember>>;

  /**
   * Change the role of a member: `PATCH /team/{id}`
   *
   * It applies to every key of the member from the next request on. You cannot change your own role, nor assign or remove the role owner.
   */
  updateMember(id: string, body: TeamMemberWrite, options?: Options<'ifMatch' | 'approval'>): Promise<Result<TeamMember>>;

  /**
   * Remove a member: `DELETE /team/{id}`
   *
   * Every key of the member is rejected from the next request on. You cannot remove yourself or an owner.
   */
  removeMember(id: string, options?: Options<'ifMatch' | 'approval'>): Promise<Result<Empty>>;
}

export interface NotificationsResource {
  /**
   * List what the key’s person was told, newest first: `GET /notifications`
   *
   * Of all Sites of the organisation, for 90 days, at most 1,000. Keys held by an agent are rejected.
   */
  list(query?: ListNotificationsQuery, options?: Options): List<NotificationPage>;

  /**
   * Mark notifications as read: `POST /notifications/read`
   *
   * By their ids, or all that came before a time.
   */
  markRead(body: NotificationsRead, options?: Options): Promise<Result<Empty>>;

  /**
   * Read how the key’s person is told by mail: `GET /notifications/settings`
   *
   * Whether there is mail, how often it comes, and which kinds are kept out of it.
   */
  getSettings(options?: Options): Promise<Result<NotificationSettings>>;

  /**
   * Change how the key’s person is told by mail: `PATCH /notifications/settings`
   *
   * Nothing keeps `security.*` from being sent.
   */
  updateSettings(body: NotificationSettingsWrite, options?: Options): Promise<Result<NotificationSettings>>;

  /**
   * List channels: `GET /notifications/channels`
   *
   * A Site has at most ten channels. Of their URLs the host is shown.
   */
  listChannels(query?: ListChannelsQuery, options?: Options): List<ChannelPage>;

  /**
   * Tell a channel of Slack or Teams what concerns the Site: `POST /notifications/channels`
   *
   * It gets one message for each event of the kinds, whoever did it, at most 100 an hour. `comment.held` and `autopilot.refused` are told once an hour. The URL is stored encrypted and never shown. Nothing is called: test the channel afterwards. Keys held by an agent are rejected.
   */
  createChannel(body: ChannelWrite, options?: Options<'idempotencyKey'>): Promise<Result<Channel>>;

  /**
   * Read a channel: `GET /notifications/channels/{id}`
   *
   * `last_error` says why the last attempt failed, and what to do about it.
   */
  getChannel(id: string, options?: Options): Promise<Result<Channel>>;

  /**
   * Update, disable or enable a channel: `PATCH /notifications/channels/{id}`
   *
   * Another kind needs the URL too (422). What waits goes to the new URL; disabling ends it. Keys held by an agent are rejected.
   */
  updateChannel(id: string, body: ChannelUpdate, options?: Options<'ifMatch'>): Promise<Result<Channel>>;

  /**
   * Delete a channel: `DELETE /notifications/channels/{id}`
   *
   * What waits is not sent. Keys held by an agent are rejected.
   */
  deleteChannel(id: string, options?: Options<'ifMatch'>): Promise<Result<Empty>>;

  /**
   * Send a channel a test message: `POST /notifications/channels/{id}/test`
   *
   * `ok` says whether the channel took it, and `message` what to do if not. Keys held by an agent are rejected.
   */
  testChannel(id: string, options?: Options): Promise<Result<ChannelTest>>;
}

export interface AuditLogResource {
  /**
   * List the audit log, newest first: `GET /audit-log`
   *
   * Records every write that took effect, successful and failed sign-ins, and the actions of the operator, for the Site, its organisation and the platform. It does not record comments submitted by readers, /ping, webhook test pings and upload reservations.
   */
  list(query?: ListAuditLogQuery, options?: Options): List<AuditLogPage>;
}

export interface ApprovalsResource {
  /**
   * List approvals requested by agents, newest first: `GET /approvals`
   *
   * Approvals of every status. Each key of the Site can read them; body and target are shown by `GET /approvals/{id}` alone.
   */
  list(query?: ListApprovalsQuery, options?: Options): List<ApprovalPage>;

  /**
   * Read an approval: `GET /approvals/{id}`
   *
   * An agent polls this until the status is approved or denied, and then repeats its request with `Service-Approval`.
   */
  get(id: string, options?: Options): Promise<Result<ApprovalDetail>>;

  /**
   * Approve an agent’s request; the agent may repeat it once, within the 24 hours: `POST /approvals/{id}/approve`
   *
   * Takes a key that is not held by an agent and belongs to a person with the permission approvals.decide.
   */
  approve(id: string, options?: Options): Promise<Result<ApprovalDecided>>;

  /**
   * Deny an agent’s request: `POST /approvals/{id}/deny`
   *
   * Takes a key that is not held by an agent and belongs to a person with the permission approvals.decide.
   */
  deny(id: string, options?: Options): Promise<Result<ApprovalDecided>>;
}

export interface WebhooksResource {
  /**
   * List webhook endpoints: `GET /webhooks`
   *
   * A Site has at most ten endpoints. Their secrets are not shown.
   */
  list(query?: ListWebhooksQuery, options?: Options): List<WebhookPage>;

  /**
   * Register a webhook endpoint: `POST /webhooks`
   *
   * Only this answer contains the signing secret.
   */
  create(body: WebhookWrite, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<WebhookWithSecret>>;

  /**
   * Read a webhook endpoint: `GET /webhooks/{id}`
   *
   * `enabled` is false after 12 failed attempts in a row, with the reason in `disabled_reason`.
   */
  get(id: string, options?: Options): Promise<Result<Webhook>>;

  /**
   * Update, disable or enable a webhook endpoint: `PATCH /webhooks/{id}`
   *
   * Enabling an endpoint does not replay missed events.
   */
  update(id: string, body: WebhookUpdate, options?: Options<'ifMatch' | 'approval'>): Promise<Result<Webhook>>;

  /**
   * Delete a webhook endpoint with its log and its pending deliveries: `DELETE /webhooks/{id}`
   *
   * Waiting retries are not sent.
   */
  delete(id: string, options?: Options<'ifMatch' | 'approval'>): Promise<Result<Empty>>;

  /**
   * Rotate the signing secret; the old one stops working at once: `POST /webhooks/{id}/rotate-secret`
   *
   * Only this answer contains the new secret. Deliveries in between fail verification, and are retried with the new secret.
   */
  rotateSecret(id: string, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<WebhookWithSecret>>;

  /**
   * List the delivery attempts of an endpoint: `GET /webhooks/{id}/deliveries`
   *
   * One row for each attempt, newest first; rows of one event have the same `event_id`. `next_attempt_at` is as it was when the attempt ended.
   */
  listDeliveries(id: string, query?: ListWebhookDeliveriesQuery, options?: Options): List<DeliveryPage>;

  /**
   * Redeliver the event of a delivery, starting at attempt 1: `POST /webhooks/{id}/deliveries/{delivery_id}/redeliver`
   *
   * Works on succeeded and failed deliveries, any number of times, for 30 days after the event. The body and the event id are the same. A disabled endpoint is 409.
   */
  redeliver(id: string, delivery_id: string, options?: Options): Promise<Result<Redelivered>>;

  /**
   * Replay missed events: `POST /webhooks/{id}/replay`
   *
   * Sends the events of a period that the endpoint subscribes to and has never received, oldest first. `since` is inclusive, `until` exclusive. A disabled endpoint is 409.
   */
  replay(id: string, body: Replay, options?: Options): Promise<Result<Replayed>>;

  /**
   * Send a ping event to one endpoint: `POST /webhooks/{id}/ping`
   *
   * The ping is signed, retried and counted like any event. A disabled endpoint is 409.
   */
  ping(id: string, options?: Options): Promise<Result<Pinged>>;
}

export interface EventsResource {
  /**
   * List the events of the last 30 days: `GET /events`
   *
   * Newest first. Events are recorded also if the Site has no endpoint. `since` is inclusive.
   */
  list(query?: ListEventsQuery, options?: Options): List<EventPage>;

  /**
   * Read an event in the form in which it is delivered: `GET /events/{id}`
   *
   * One event has one id for all endpoints, retries and redeliveries.
   */
  get(id: string, options?: Options): Promise<Result<Event>>;
}

export interface ConnectionsResource {
  /**
   * List connections: `GET /delivery/connections`
   *
   * A Site has at most ten connections. Their secrets are not shown, and path and query of their addresses only with the permission settings.manage.
   */
  list(query?: ListConnectionsQuery, options?: Options): List<ConnectionPage>;

  /**
   * Connect another system that articles are pushed to: `POST /delivery/connections`
   *
   * A git repository gets a file `<slug>.md` for each article: Markdown with YAML front matter. Ghost and WordPress get posts. `http` gets a POST in the shape of a webhook delivery, signed like one. Each kind takes its own members of `config` and no other: git `remote_url`, `branch` and `path`; ghost `admin_url`; wordpress `site_url` and `user`; http `url`. The secret is stored encrypted and never shown. Nothing is called: test the connection afterwards.
   */
  create(body: ConnectionWrite, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<Connection>>;

  /**
   * Read a connection: `GET /delivery/connections/{id}`
   *
   * `last_error` says why the last attempt failed, and what to do about it. Path and query of the address are shown with the permission settings.manage only.
   */
  get(id: string, options?: Options): Promise<Result<Connection>>;

  /**
   * Update, disable or enable a connection: `PATCH /delivery/connections/{id}`
   *
   * The kind stays. `config` changes the members that it has. A secret that would be sent to another host, or another site on it, has to be sent again (422). If the address changes, what is known about the posts at the old one is forgotten: the next push of an article is its first there. Disabling ends pushes that wait.
   */
  update(id: string, body: ConnectionUpdate, options?: Options<'ifMatch' | 'approval'>): Promise<Result<Connection>>;

  /**
   * Delete a connection with its pushes: `DELETE /delivery/connections/{id}`
   *
   * What waits is not pushed. Posts at the remote stay as they are.
   */
  delete(id: string, options?: Options<'ifMatch' | 'approval'>): Promise<Result<Empty>>;

  /**
   * Test a connection: `POST /delivery/connections/{id}/test`
   *
   * Calls the remote with the stored secret and changes nothing there. `ok` says whether a push could be made, and `message` what to do if not. For `http` it sends one `ping` event.
   */
  test(id: string, options?: Options): Promise<Result<ConnectionTest>>;
}

export interface PushesResource {
  /**
   * Push articles to another system: `POST /delivery/cms/push`
   *
   * Brings each article to the remote as it is when its turn comes: creates, updates or, if it is not published, removes its post (in Ghost and WordPress it becomes a draft). It costs nothing. What was changed or deleted at the remote since the last push is `diverged` and left alone, unless `force` is set. A failed attempt is repeated up to five times, after the delays of webhooks. Read the push to see how far it is.
   */
  start(body: PushWrite, options?: Options<'idempotencyKey' | 'approval'>): Promise<Result<Push>>;

  /**
   * List pushes, newest first: `GET /delivery/pushes`
   *
   * Also those that connections with `auto` made by themselves. They are kept for 30 days after their end.
   */
  list(query?: ListPushesQuery, options?: Options): List<PushPage>;

  /**
   * Read a push: `GET /delivery/pushes/{id}`
   *
   * Poll it until `finished_at` is set.
   */
  get(id: string, options?: Options): Promise<Result<Push>>;
}

export interface ListPromptVersionsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListUsageLedgerQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListInvoicesQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListArticlesQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Articles with one of these statuses. */
  status?: readonly ('draft' | 'scheduled' | 'published' | 'discovered' | 'scored' | 'skipped' | 'scraped' | 'generated' | 'needs_improvement' | 'needs_images' | 'queued' | 'rejected' | 'failed')[] | undefined;
  /** Articles with one of these origins. */
  origin?: readonly ('person' | 'assisted' | 'generated')[] | undefined;
  /** Articles of this category. */
  category_id?: string | undefined;
  /** Articles of this author. */
  author_id?: string | undefined;
  /** Articles with this tag. */
  tag_id?: string | undefined;
  /** The article with exactly this slug. */
  slug?: string | undefined;
  /** Inclusive. A change can become visible a few seconds after its updated_at. To miss none, continue from 30 seconds before the latest updated_at you have seen. */
  updated_since?: string | undefined;
  /** Articles with exactly this external_id. */
  external_id?: string | undefined;
  /** Articles with this in title, excerpt or content, as readers see it: without marks, addresses and HTML. Words that all have to occur, `"phrases"`, `-word` for what must not, and `or`; without regard to case and accents. The last word matches the beginning of a word. A search has a second (503 beyond that). */
  q?: string | undefined;
  /** Articles that lack the time come last. */
  order?: 'updated_at.desc' | 'updated_at.asc' | 'published_at.desc' | 'published_at.asc' | 'created_at.desc' | undefined;
}

export interface ListArticleRevisionsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListReviewsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Reviews in this state. */
  state?: 'requested' | 'approved' | 'changes_requested' | 'withdrawn' | undefined;
  /** Reviews that this member was asked for; `me` is the person of the key. */
  reviewer_id?: string | undefined;
  /** Reviews of this article. */
  article_id?: string | undefined;
  /** Reviews with a `due_date` before this day. */
  due_before?: string | undefined;
}

export interface ListNotesQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Only notes that are resolved, or that are not. */
  resolved?: boolean | undefined;
}

export interface ListPreviewLinksQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListCategoriesQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** The beginning of the name, without regard to case and accents. */
  q?: string | undefined;
}

export interface ListTagsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** The beginning of the name, without regard to case and accents. */
  q?: string | undefined;
}

export interface ListAuthorsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** The beginning of the name, without regard to case and accents. */
  q?: string | undefined;
}

export interface ListMediaQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Images in this bucket. */
  bucket?: 'blog-images' | 'author-avatars' | undefined;
  /** Images with this in file name or alt text. File names are split at dots, hyphens and underscores. Words that all have to occur, `"phrases"`, `-word` for what must not, and `or`; without regard to case and accents. The last word matches the beginning of a word. A search has a second (503 beyond that). */
  q?: string | undefined;
}

export interface ListCommentsOfArticleQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
}

export interface ListCommentsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Comments with this status. */
  status?: 'approved' | 'pending' | 'spam' | undefined;
  /** Comments on the article with this slug. */
  slug?: string | undefined;
}

export interface ListPlanItemsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** By `rank`, which is the order of the plan, or by `target_date`; items without one come last. */
  order?: 'rank' | 'target_date' | undefined;
  /** Items with one of these statuses. */
  status?: readonly ('idea' | 'approved' | 'rejected' | 'started' | 'done')[] | undefined;
  /** Items with this in title, notes or keywords. Words that all have to occur, `"phrases"`, `-word` for what must not, and `or`; without regard to case and accents. The last word matches the beginning of a word. A search has a second (503 beyond that). */
  q?: string | undefined;
}

export interface ListPipelineRunsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListPipelineStepsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListClaimsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListBacklinksQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** May be repeated. */
  status?: readonly ('unknown' | 'live' | 'lost')[] | undefined;
  /** The article at the target. */
  article_id?: string | undefined;
  /** The host of the source; its subdomains count too. */
  domain?: string | undefined;
}

export interface ListScansQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Scans of this kind. */
  kind?: 'site-crawl' | 'on-page' | 'structured-data' | 'outbound-links' | 'backlinks' | 'internal-links' | 'keyword-overlap' | undefined;
}

export interface ListFindingsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Findings of scans of this kind. */
  kind?: 'site-crawl' | 'on-page' | 'structured-data' | 'outbound-links' | 'backlinks' | 'internal-links' | 'keyword-overlap' | undefined;
  /** Findings of this rule. */
  rule?: 'broken-page' | 'redirect-chain' | 'redirect-loop' | 'duplicate-title' | 'missing-title' | 'missing-description' | 'noindex' | 'canonical-mismatch' | 'mixed-content' | 'orphan-page' | 'blocked-by-robots' | 'title-length' | 'description-length' | 'heading-order' | 'missing-alt' | 'thin-content' | 'keyword-missing' | 'long-paragraph' | 'hard-to-read' | 'invalid-json-ld' | 'missing-required-property' | 'missing-recommended-property' | 'no-structured-data' | 'broken-link' | 'redirected-link' | 'insecure-link' | 'lost-backlink' | 'nofollow-backlink' | 'backlink-to-missing-page' | 'orphan-article' | 'missing-related-link' | 'broken-internal-link' | 'competing-articles' | undefined;
  /** Findings of this severity. */
  severity?: 'error' | 'warning' | 'notice' | undefined;
  /** Findings with one of these statuses. */
  status?: readonly ('open' | 'dismissed' | 'fixed')[] | undefined;
  /** Findings of this article. */
  article_id?: string | undefined;
}

export interface ListKeysQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListTeamMembersQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListNotificationsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Only what is unread. */
  unread?: 'true' | undefined;
}

export interface ListChannelsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListAuditLogQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Entries with exactly this action. An unknown action gives an empty page. */
  action?: string | undefined;
  /** The id of a key or a member. */
  actor_id?: string | undefined;
  /** The id of the changed object. */
  target_id?: string | undefined;
  /** Inclusive. */
  since?: string | undefined;
  /** Exclusive. */
  until?: string | undefined;
}

export interface ListApprovalsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListWebhooksQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListWebhookDeliveriesQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Attempts to deliver this event. */
  event_id?: string | undefined;
  /** Attempts with this result. */
  status?: 'succeeded' | 'failed' | undefined;
  /** Attempts to deliver events of this type. */
  event?: 'article.created' | 'article.scheduled' | 'article.schedule_cancelled' | 'article.published' | 'article.updated' | 'article.unpublished' | 'article.deleted' | 'pending_edit.created' | 'pending_edit.published' | 'review.requested' | 'review.decided' | 'comment.created' | 'comment.approved' | 'comment.removed' | 'category.created' | 'category.updated' | 'category.deleted' | 'tag.created' | 'tag.updated' | 'tag.deleted' | 'author.created' | 'author.updated' | 'author.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'pipeline_run.finished' | 'seo_scan.finished' | 'bulk_job.finished' | 'push.finished' | 'approval.requested' | 'approval.decided' | 'key.created' | 'key.revoked' | 'site.updated' | 'ping' | undefined;
}

export interface ListEventsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
  /** Events of this type. */
  event?: 'article.created' | 'article.scheduled' | 'article.schedule_cancelled' | 'article.published' | 'article.updated' | 'article.unpublished' | 'article.deleted' | 'pending_edit.created' | 'pending_edit.published' | 'review.requested' | 'review.decided' | 'comment.created' | 'comment.approved' | 'comment.removed' | 'category.created' | 'category.updated' | 'category.deleted' | 'tag.created' | 'tag.updated' | 'tag.deleted' | 'author.created' | 'author.updated' | 'author.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'pipeline_run.finished' | 'seo_scan.finished' | 'bulk_job.finished' | 'push.finished' | 'approval.requested' | 'approval.decided' | 'key.created' | 'key.revoked' | 'site.updated' | undefined;
  /** Inclusive. */
  since?: string | undefined;
}

export interface ListConnectionsQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}

export interface ListPushesQuery {
  /** The next_cursor of the previous page, unchanged; any other text is 400. */
  cursor?: string | undefined;
  /** Items per page, at most 100: a larger value counts as 100. */
  limit?: number | undefined;
}
