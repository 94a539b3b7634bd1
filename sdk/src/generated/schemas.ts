// Generated from the declarations in api/ by npm run generate; do not edit.

/** One of these values; a later version of the API may answer others. */
export type Open<Value extends string> = Value | (string & {});

/** The codes of errors that the API answers. */
export type ApiErrorCode = 'INVALID_REQUEST' | 'INVALID_API_KEY' | 'API_KEY_REVOKED' | 'API_KEY_EXPIRED' | 'NOT_ENTITLED' | 'INSUFFICIENT_CREDITS' | 'SPEND_CAP_REACHED' | 'INSUFFICIENT_SCOPE' | 'AGENT_ACCESS_DISABLED' | 'APPROVAL_DENIED' | 'FORBIDDEN' | 'NOT_FOUND' | 'COMMENTS_DISABLED' | 'PARENT_NOT_FOUND' | 'SLUG_CONFLICT' | 'IDEMPOTENCY_KEY_CONFLICT' | 'IDEMPOTENCY_KEY_IN_FLIGHT' | 'CONFLICT' | 'APPROVAL_INVALID' | 'PREREQUISITE_MISSING' | 'FEATURE_UNAVAILABLE' | 'PRECONDITION_FAILED' | 'VALIDATION_FAILED' | 'COMMENTS_CLOSED' | 'RATE_LIMIT_EXCEEDED' | 'INTERNAL_ERROR' | 'MAINTENANCE';

/** The events of a webhook endpoint. A later version of the API may send other events: ignore them. */
export type WebhookEvent = ArticleCreatedEvent | ArticleScheduledEvent | ArticleScheduleCancelledEvent | ArticlePublishedEvent | ArticleUpdatedEvent | ArticleUnpublishedEvent | ArticleDeletedEvent | PendingEditCreatedEvent | PendingEditPublishedEvent | ReviewRequestedEvent | ReviewDecidedEvent | CommentCreatedEvent | CommentApprovedEvent | CommentRemovedEvent | CategoryCreatedEvent | CategoryUpdatedEvent | CategoryDeletedEvent | TagCreatedEvent | TagUpdatedEvent | TagDeletedEvent | AuthorCreatedEvent | AuthorUpdatedEvent | AuthorDeletedEvent | MediaCreatedEvent | MediaUpdatedEvent | MediaDeletedEvent | PipelineRunFinishedEvent | SeoScanFinishedEvent | BulkJobFinishedEvent | PushFinishedEvent | ApprovalRequestedEvent | ApprovalDecidedEvent | KeyCreatedEvent | KeyRevokedEvent | SiteUpdatedEvent | PingEvent;

export interface Ping {
  pong: true;
  key_kind: Open<'publishable' | 'secret'>;
  scopes: (Open<'articles:read' | 'articles:write' | 'taxonomy:read' | 'taxonomy:write' | 'authors:read' | 'authors:write' | 'media:read' | 'media:write' | 'pipeline:read' | 'pipeline:run' | 'keys:read' | 'keys:write' | 'webhooks:read' | 'webhooks:write' | 'meta:read' | 'comments:read' | 'comments:write' | 'engagement:write' | 'prompts:write'>)[];
}

export interface Site {
  name: string;
  domain: string;
  locale: string;
  timezone: string;
  url_paths: SiteUrlPaths;
  preview_url: string | null;
  feed_content: Open<'full' | 'excerpt'>;
  required_reviews: number;
  ai_disclosure: Open<'none' | 'mark'>;
  max_unsupported_claims: number | null;
  /** Where the feeds, the sitemap and the other public files are. */
  public_base_url: string;
  created_at: string;
}

export interface SiteUrlPaths {
  article: string;
  category: string;
  tag: string;
  author: string;
}

export interface SiteWrite {
  name?: string | undefined;
  /** The language of the blog, as a language tag (BCP 47). */
  locale?: string | undefined;
  /** A name of the IANA time zone database, such as Europe/London; no abbreviation. Instants that are already scheduled stay. */
  timezone?: string | undefined;
  /** The paths of the pages of the blog, all four. Each begins with `/`, contains `{slug}` once, and has no `?`, `#`, white space, control characters, `//`, `.` or `..` as a part, and no `%` but in percent-encoded characters. In addresses, letters that are not ASCII are percent-encoded. */
  url_paths?: SiteUrlPathsWrite | undefined;
  /** An https template for the addresses of preview links, with `{token}` and perhaps `{slug}`; null for the page of the service. */
  preview_url?: string | null | undefined;
  /** Whether feeds contain whole articles. */
  feed_content?: 'full' | 'excerpt' | undefined;
  /** How many people, each other than whoever wrote the text, have to approve it before it is published or scheduled. A published or scheduled article is then edited by its pending edit, or after its schedule is cancelled. What is scheduled already stays. */
  required_reviews?: number | undefined;
  /** Whether JSON-LD, feeds and `content_html` say `digitalSourceType`, in the terms of the IPTC, of articles whose `origin` is not `person`. */
  ai_disclosure?: 'none' | 'mark' | undefined;
  /** How many percent of the claims of a text may be without a source: with more, the stage improve makes an article `needs_improvement`. Null for any. */
  max_unsupported_claims?: number | null | undefined;
}

export interface SiteUrlPathsWrite {
  article: string;
  category: string;
  tag: string;
  author: string;
}

export interface ContentTypeList {
  items: ContentType[];
}

export interface ContentType {
  id: string;
  key: string;
  name: string;
  source: Open<'platform' | 'site'>;
  is_active: boolean;
  created_at: string;
  updated_at: string;
}

export interface ContentTypeWrite {
  name: string;
  blueprint: BlueprintWrite;
  is_active?: boolean | undefined;
  key?: string | undefined;
}

export interface BlueprintWrite {
  /** The structured blocks that the pipeline must fill. */
  requires: readonly ('howto_steps' | 'key_takeaways' | 'comparison' | 'faqs')[];
  /** The outline, in order. */
  sections: readonly SectionWrite[];
}

export interface SectionWrite {
  heading: string;
  guidance: string;
  min_words?: number | undefined;
  max_words?: number | undefined;
}

export interface ContentTypeDetail {
  id: string;
  key: string;
  name: string;
  source: Open<'platform' | 'site'>;
  is_active: boolean;
  created_at: string;
  updated_at: string;
  blueprint: Blueprint;
}

export interface Blueprint {
  requires: (Open<'howto_steps' | 'key_takeaways' | 'comparison' | 'faqs'>)[];
  sections: Section[];
}

export interface Section {
  heading: string;
  guidance: string;
  min_words?: number;
  max_words?: number;
}

export interface ContentTypeUpdate {
  name?: string | undefined;
  blueprint?: BlueprintWrite | undefined;
  is_active?: boolean | undefined;
}

export interface Prompts {
  plan: Prompt;
  generate: Prompt;
  improve: Prompt;
  classify: Prompt;
  extract: Prompt;
}

export interface Prompt {
  stage: Open<'plan' | 'generate' | 'improve' | 'classify' | 'extract'>;
  default: PromptDefault;
  /** The names of the default’s placeholders, without braces. */
  placeholders: string[];
  override: PromptOverride | null;
  effective: Open<'default' | 'override'>;
}

export interface PromptDefault {
  template: string;
}

export interface PromptOverride {
  template: string;
  version: number;
  missing_placeholders: string[];
  updated_at: string;
}

export interface PromptWrite {
  template: string;
}

export interface PromptSaved {
  stage: Open<'plan' | 'generate' | 'improve' | 'classify' | 'extract'>;
  template: string;
  version: number;
  placeholders: string[];
  missing_placeholders: string[];
  updated_at: string;
}

export interface PendingApproval {
  id: string;
  status: 'pending';
  /** The requested operation, by its name in the audit log. */
  action: Open<'article.publish' | 'article.unpublish' | 'article.schedule' | 'article.update_published' | 'pending_edit.publish' | 'pending_edit.schedule' | 'articles.bulk' | 'article.delete' | 'media.delete' | 'comment.delete' | 'comments.erase' | 'key.create' | 'key.rotate' | 'key.revoke' | 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret' | 'pipeline.run' | 'seo_scan.start' | 'cms.push' | 'autopilot.update' | 'member.add' | 'member.role' | 'member.remove' | 'connection.create' | 'connection.update' | 'connection.delete' | 'category.delete' | 'tag.delete' | 'author.delete' | 'webhook.delete' | 'plan_item.delete' | 'prompt.reset' | 'prompt.try' | 'preview_link.delete' | 'comments.settings'>;
  expires_at: string;
}

export interface PromptVersionPage {
  items: PromptVersion[];
  next_cursor: string | null;
}

export interface PromptVersion {
  version: number;
  template: string;
  missing_placeholders: string[];
  created_at: string;
}

export interface PromptTry {
  /** By default the one that is in effect. */
  template?: string | undefined;
  /** An article in a status of the pipeline. It does not change. */
  article_id?: string | undefined;
  topic?: Topic | undefined;
  /** Whether only the prompt is made, which is free. Otherwise the stage is done, and charged. */
  render_only?: boolean | undefined;
}

export interface Topic {
  title: string;
  keywords?: readonly string[] | undefined;
  /** What the text should say, and what to mind; prompts get it as `{{notes}}`. */
  notes?: string | null | undefined;
  /** A page that the pipeline takes facts from. */
  source_url?: string | undefined;
  /** Further pages that the pipeline takes facts from, at most 20 together with source_url. */
  source_urls?: readonly string[] | undefined;
  format_id?: string | null | undefined;
  category_id?: string | null | undefined;
  author_id?: string | null | undefined;
}

export interface PromptTried {
  /** The prompt as the writer gets it; empty if it could not be made. */
  rendered: string;
  missing_placeholders: string[];
  /** What the writer answered; without a language model, what it made as JSON. */
  answer: string | null;
  /** Whether a stage could use the answer; null if nothing was asked. */
  valid: boolean | null;
  problems: string[];
  tokens: TokenCounts | null;
  /** 0 for a try that failed. */
  credits_spent: number;
}

export interface TokenCounts {
  input: number;
  output: number;
}

export interface Voice {
  audience: string | null;
  tone: string | null;
  do: string[];
  avoid: string[];
  vocabulary: VoiceVocabulary[];
  /** Without those that have been deleted. */
  sample_article_ids: string[];
  /** Null until it is set for the first time. */
  updated_at: string | null;
}

export interface VoiceVocabulary {
  use: string;
  instead_of: string[];
}

export interface VoiceUpdate {
  /** Who reads the blog, and what they know. */
  audience?: string | null | undefined;
  /** How the blog talks to them. */
  tone?: string | null | undefined;
  /** What every text does. */
  do?: readonly string[] | undefined;
  /** What no text does. */
  avoid?: readonly string[] | undefined;
  /** The words of the blog, and those that they replace. */
  vocabulary?: readonly VoiceWord[] | undefined;
  /** Articles of the Site that sound as the others should. */
  sample_article_ids?: readonly string[] | undefined;
}

export interface VoiceWord {
  use: string;
  instead_of: readonly string[];
}

export interface Usage {
  plan: UsagePlan;
  period: UsagePeriod;
  usage: UsageFigures;
  limits: UsageLimits;
  credits: UsageCredits;
  /** The monthly credit limit of the Site; null for none. */
  spend_cap: SpendCap | null;
}

export interface UsagePlan {
  key: string;
  name: string;
  entitlements: string[];
}

/** The calendar month in UTC; end is exclusive. */
export interface UsagePeriod {
  start: string;
  end: string;
}

/** documents (articles) and media_bytes are current totals of the Site; pipeline_runs and credits_spent are for the period. */
export interface UsageFigures {
  documents: number;
  media_bytes: number;
  pipeline_runs: number;
  credits_spent: number;
}

/** The included amounts; additional documents and media are billed by use. */
export interface UsageLimits {
  documents: number;
  media_bytes: number;
  webhook_endpoints: number;
}

export interface UsageCredits {
  /** The balance of the organisation, shared by all its Sites. Below zero after a refund or a dispute of credits that were spent. */
  balance: number;
}

export interface SpendCap {
  limit: number;
  spent: number;
  remaining: number;
}

export interface LedgerPage {
  items: LedgerEntry[];
  next_cursor: string | null;
}

export interface LedgerEntry {
  id: string;
  /** grant: credits added to the organisation; charge: credits for a stage of an article, or a unit of a scan; refund: a charge returned because its stage or unit failed or its result was discarded; purchase: credits that were bought; refund_out and dispute: credits that a refund or a dispute of their payment took, or gave back. */
  kind: Open<'grant' | 'charge' | 'refund' | 'purchase' | 'refund_out' | 'dispute'>;
  /** The change of the balance: negative for a charge, positive for a grant, a refund and a purchase. */
  amount: number;
  /** The balance of the organisation after the change. */
  balance: number;
  run_id: string | null;
  article_id: string | null;
  stage: string | null;
  /** The scan whose unit was charged or refunded. */
  scan_id: string | null;
  /** The payment that the line comes from. */
  payment_id: string | null;
  created_at: string;
}

export interface Billing {
  /** null if nothing can be bought here. */
  provider: Open<'stripe'> | null;
  plan: BillingPlan;
  /** null without one, and after it has ended. */
  subscription: BillingSubscription | null;
  credits: BillingCredits;
  auto_top_up: AutoTopUp;
  overage: BillingOverage;
}

/** As in GET /usage. */
export interface BillingPlan {
  key: string;
  name: string;
  entitlements: string[];
}

export interface BillingSubscription {
  /** As Stripe names it: active, trialing, past_due, unpaid, … */
  status: string;
  current_period_end: string;
  cancel_at_period_end: boolean;
}

export interface BillingCredits {
  /** Shared by all Sites of the organisation. Below zero after a refund or a dispute of credits that were spent. */
  balance: number;
}

/** null for what was never set. */
export interface AutoTopUp {
  enabled: boolean;
  /** A charge that leaves less than this buys a pack. */
  below: number | null;
  pack: string | null;
  /** The most packs in a calendar month, in UTC. */
  monthly_limit: number | null;
}

/** Storage beyond what each Site includes. It is counted daily, invoiced after the end of the month, and blocks nothing. */
export interface BillingOverage {
  /** Beyond the included documents, as counted last. */
  documents: number;
  /** Beyond the included media, as counted last. */
  media_bytes: number;
  /** What this month costs up to today. In the smallest unit of the currency, such as cents. */
  amount: number;
  /** ISO 4217, in lower case. */
  currency: string;
}

export interface CheckoutRequest {
  /** The name of a plan that is sold. */
  plan?: string | undefined;
  /** The name of a pack of credits. */
  pack?: string | undefined;
  /** How many packs; 1 by default. */
  quantity?: number | undefined;
  /** Where the person comes back to, done or not: an absolute http or https URL. */
  return_url: string;
}

export interface Checkout {
  /** Send the person there. */
  url: string;
  expires_at: string;
}

export interface PortalRequest {
  /** Where the person comes back to, done or not: an absolute http or https URL. */
  return_url: string;
}

export interface Portal {
  /** Send the person there soon. Whoever has it can use the portal. */
  url: string;
}

export interface InvoicePage {
  items: Invoice[];
  next_cursor: string | null;
}

export interface Invoice {
  id: string;
  number: string | null;
  /** draft, open, paid, uncollectible or void. */
  status: string;
  /** In the smallest unit of the currency, such as cents. */
  amount: number;
  /** ISO 4217, in lower case. */
  currency: string;
  created_at: string;
  url: string | null;
  pdf_url: string | null;
}

export interface AutoTopUpWrite {
  enabled?: boolean | undefined;
  /** A charge that leaves less than this buys a pack. */
  below?: number | undefined;
  /** The name of a pack of credits. */
  pack?: string | undefined;
  /** The most packs in a calendar month, in UTC. */
  monthly_limit?: number | undefined;
}

export interface ArticlePage {
  items: PartialArticle[];
  next_cursor: string | null;
}

export interface PartialArticle {
  id: string;
  status?: Open<'draft' | 'scheduled' | 'published' | 'discovered' | 'scored' | 'skipped' | 'scraped' | 'generated' | 'needs_improvement' | 'needs_images' | 'queued' | 'rejected' | 'failed'>;
  title?: string | null;
  slug?: string | null;
  content?: string | null;
  excerpt?: string | null;
  featured_image_url?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
  seo_keywords?: string[] | null;
  faqs?: Faq[] | null;
  key_takeaways?: string[] | null;
  howto_steps?: HowtoStep[] | null;
  comparison?: Comparison | null;
  sources?: Source[] | null;
  category_id?: string | null;
  author_id?: string | null;
  format_id?: string | null;
  tag_ids?: string[];
  external_id?: string | null;
  /** Who wrote the text: a person; the pipeline, and no person has changed it since (`generated`); or both (`assisted`). An agent counts as a person. */
  origin?: Open<'person' | 'assisted' | 'generated'>;
  published_at?: string | null;
  content_updated_at?: string | null;
  scheduled_publish_at?: string | null;
  created_at?: string;
  updated_at?: string;
}

export interface Faq {
  question: string;
  answer: string;
}

export interface HowtoStep {
  name: string;
  text: string;
  image_url?: string | null;
}

export interface Comparison {
  title?: string | null;
  columns: string[];
  rows: ComparisonRow[];
}

export interface ComparisonRow {
  label: string;
  values: string[];
}

export interface Source {
  /** Its position in the list, by which the content cites it: `[^1]`. */
  n: number;
  url: string;
  title: string | null;
  published_at: string | null;
  accessed_at: string | null;
}

export interface ArticleCreate {
  title?: string | null | undefined;
  slug?: string | null | undefined;
  content?: string | null | undefined;
  excerpt?: string | null | undefined;
  featured_image_url?: string | null | undefined;
  seo_title?: string | null | undefined;
  seo_description?: string | null | undefined;
  seo_keywords?: readonly string[] | null | undefined;
  faqs?: readonly FaqWrite[] | null | undefined;
  key_takeaways?: readonly string[] | null | undefined;
  howto_steps?: readonly HowtoStepWrite[] | null | undefined;
  comparison?: ComparisonWrite | null | undefined;
  sources?: readonly SourceWrite[] | null | undefined;
  category_id?: string | null | undefined;
  author_id?: string | null | undefined;
  format_id?: string | null | undefined;
  tag_ids?: readonly string[] | undefined;
  external_id?: string | null | undefined;
  origin?: 'assisted' | 'generated' | undefined;
}

export interface FaqWrite {
  question: string;
  answer: string;
}

export interface HowtoStepWrite {
  name: string;
  text: string;
  image_url?: string | null | undefined;
}

export interface ComparisonWrite {
  title?: string | null | undefined;
  columns: readonly string[];
  rows: readonly ComparisonRowWrite[];
}

export interface ComparisonRowWrite {
  label: string;
  /** One value per column. */
  values: readonly string[];
}

export interface SourceWrite {
  /** Ignored: it is the position. */
  n?: number | undefined;
  url: string;
  title?: string | null | undefined;
  published_at?: string | null | undefined;
  accessed_at?: string | null | undefined;
}

export interface Article {
  id: string;
  status: Open<'draft' | 'scheduled' | 'published' | 'discovered' | 'scored' | 'skipped' | 'scraped' | 'generated' | 'needs_improvement' | 'needs_images' | 'queued' | 'rejected' | 'failed'>;
  title: string | null;
  slug: string | null;
  content: string | null;
  excerpt: string | null;
  featured_image_url: string | null;
  seo_title: string | null;
  seo_description: string | null;
  seo_keywords: string[] | null;
  faqs: Faq[] | null;
  key_takeaways: string[] | null;
  howto_steps: HowtoStep[] | null;
  comparison: Comparison | null;
  sources: Source[] | null;
  category_id: string | null;
  author_id: string | null;
  format_id: string | null;
  tag_ids: string[];
  external_id: string | null;
  /** Who wrote the text: a person; the pipeline, and no person has changed it since (`generated`); or both (`assisted`). An agent counts as a person. */
  origin: Open<'person' | 'assisted' | 'generated'>;
  published_at: string | null;
  content_updated_at: string | null;
  scheduled_publish_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface ReadArticle {
  id: string;
  status?: Open<'draft' | 'scheduled' | 'published' | 'discovered' | 'scored' | 'skipped' | 'scraped' | 'generated' | 'needs_improvement' | 'needs_images' | 'queued' | 'rejected' | 'failed'>;
  title?: string | null;
  slug?: string | null;
  content?: string | null;
  excerpt?: string | null;
  featured_image_url?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
  seo_keywords?: string[] | null;
  faqs?: Faq[] | null;
  key_takeaways?: string[] | null;
  howto_steps?: HowtoStep[] | null;
  comparison?: Comparison | null;
  sources?: Source[] | null;
  category_id?: string | null;
  author_id?: string | null;
  format_id?: string | null;
  tag_ids?: string[];
  external_id?: string | null;
  /** Who wrote the text: a person; the pipeline, and no person has changed it since (`generated`); or both (`assisted`). An agent counts as a person. */
  origin?: Open<'person' | 'assisted' | 'generated'>;
  published_at?: string | null;
  content_updated_at?: string | null;
  scheduled_publish_at?: string | null;
  created_at?: string;
  updated_at?: string;
  /** The content as sanitised HTML, rendered as CommonMark with GFM; null without content. With `ai_disclosure` of the Site, that of an article that is not a person’s stands in an element with its `digitalSourceType` as microdata. */
  content_html?: string | null;
}

export interface ArticleWrite {
  title?: string | null | undefined;
  slug?: string | null | undefined;
  content?: string | null | undefined;
  excerpt?: string | null | undefined;
  featured_image_url?: string | null | undefined;
  seo_title?: string | null | undefined;
  seo_description?: string | null | undefined;
  seo_keywords?: readonly string[] | null | undefined;
  faqs?: readonly FaqWrite[] | null | undefined;
  key_takeaways?: readonly string[] | null | undefined;
  howto_steps?: readonly HowtoStepWrite[] | null | undefined;
  comparison?: ComparisonWrite | null | undefined;
  sources?: readonly SourceWrite[] | null | undefined;
  category_id?: string | null | undefined;
  author_id?: string | null | undefined;
  format_id?: string | null | undefined;
  tag_ids?: readonly string[] | undefined;
  external_id?: string | null | undefined;
}

export interface PublishArticle {
  published_at?: string | undefined;
  content_updated_at?: string | undefined;
}

export interface ArticleLifecycleState {
  id: string;
  status: Open<'draft' | 'scheduled' | 'published' | 'discovered' | 'scored' | 'skipped' | 'scraped' | 'generated' | 'needs_improvement' | 'needs_images' | 'queued' | 'rejected' | 'failed'>;
  slug: string | null;
  published_at: string | null;
  content_updated_at: string | null;
  scheduled_publish_at: string | null;
  updated_at: string;
}

export interface ScheduleArticle {
  /** Without an offset it is local time in the timezone of the Site. */
  scheduled_publish_at: string;
}

export interface ArticleMeta {
  /** `seo_title`, or else `title`. */
  title: string | null;
  /** `seo_description`, or else `excerpt`. */
  description: string | null;
  /** null without a slug. */
  canonical_url: string | null;
  /** The content of `<meta property>` elements, by property. */
  open_graph: Record<string, string>;
  /** The content of `<meta name>` elements, by name. */
  twitter: Record<string, string>;
  /** schema.org: Article, BreadcrumbList, FAQPage and HowTo, each if the article has what it needs. */
  json_ld: (Record<string, unknown>)[];
}

export interface BulkRequest {
  /** What to do with each article: what the call for one article does. */
  action: 'publish' | 'unpublish' | 'delete' | 'set_category' | 'set_author' | 'add_tags' | 'remove_tags' | 'schedule';
  /** The articles, each once. An id that does not exist fails alone. */
  article_ids: readonly string[];
  /** For set_category; null clears it. */
  category_id?: string | null | undefined;
  /** For set_author; null clears it. */
  author_id?: string | null | undefined;
  /** For add_tags and remove_tags. */
  tag_ids?: readonly string[] | undefined;
  /** For schedule. Without an offset it is local time in the timezone of the Site. */
  scheduled_publish_at?: string | undefined;
}

export interface BulkJob {
  id: string;
  status: Open<'queued' | 'running' | 'completed' | 'cancelled'>;
  action: Open<'publish' | 'unpublish' | 'delete' | 'set_category' | 'set_author' | 'add_tags' | 'remove_tags' | 'schedule'>;
  /** In the order in which they were sent. */
  items: BulkItem[];
  totals: BulkTotals;
  created_at: string;
  finished_at: string | null;
}

export interface BulkItem {
  article_id: string;
  status: Open<'waiting' | 'done' | 'failed'>;
  /** Of a failed item: what the call for this article would have answered. */
  error: BulkItemError | null;
}

export interface BulkItemError {
  code: string;
  message: string;
}

export interface BulkTotals {
  waiting: number;
  done: number;
  failed: number;
}

export interface ArticleRevisionPage {
  items: ArticleRevision[];
  next_cursor: string | null;
}

export interface ArticleRevision {
  /** The version that the change made: revision 7 is `W/"7"`. */
  number: number;
  created_at: string;
  actor: RevisionActor;
  /** The names of the members that the change set. An open enumeration. */
  changed: string[];
  /** The title as it then was. */
  title: string | null;
}

/** Who made the change: key is an API key, person a member who signed in with a browser. system is the product itself, such as the pipeline, and has no id. */
export interface RevisionActor {
  kind: Open<'key' | 'person' | 'system'>;
  id: string | null;
  name: string;
}

export interface WholeArticleRevision {
  /** The version that the change made: revision 7 is `W/"7"`. */
  number: number;
  created_at: string;
  actor: RevisionActor;
  /** The names of the members that the change set. An open enumeration. */
  changed: string[];
  /** The title as it then was. */
  title: string | null;
  article: RevisedArticle;
}

export interface RevisedArticle {
  title: string | null;
  slug: string | null;
  content: string | null;
  excerpt: string | null;
  featured_image_url: string | null;
  seo_title: string | null;
  seo_description: string | null;
  seo_keywords: string[] | null;
  faqs: Faq[] | null;
  key_takeaways: string[] | null;
  howto_steps: HowtoStep[] | null;
  comparison: Comparison | null;
  sources: Source[] | null;
  category_id: string | null;
  author_id: string | null;
  format_id: string | null;
  tag_ids: string[];
  external_id: string | null;
}

export interface PendingEdit {
  /** The version of the article when the edit was begun. */
  base_version: number;
  /** The live article with the edit applied. */
  article: Article;
  /** When the edit or its schedule changed last. */
  updated_at: string;
  /** When the edit will be published. */
  scheduled_at: string | null;
  /** Only after a schedule that could not be carried out: the fields that stood against it. The next edit clears it. */
  conflict?: string[];
}

export interface PublishPendingEdit {
  /** Whether to overwrite what has changed in the live article meanwhile. */
  force?: boolean | undefined;
}

export interface SchedulePendingEdit {
  /** Without an offset it is local time in the timezone of the Site. */
  scheduled_at: string;
}

export interface ReviewRequest {
  /** Members who are to decide; besides them, admins and the owner may. By default anybody may. */
  reviewer_ids?: readonly string[] | undefined;
  note?: string | null | undefined;
  /** By when it should be decided. */
  due_date?: string | null | undefined;
}

export interface Review {
  id: string;
  article_id: string;
  state: Open<'requested' | 'approved' | 'changes_requested' | 'withdrawn'>;
  /** An article, or the pending edit that it had. */
  subject: Open<'article' | 'pending_edit'>;
  /** The number of the revision that is reviewed; null for a pending edit. */
  revision: number | null;
  /** Whether the text has changed since. */
  outdated: boolean;
  requested_by: Person;
  reviewers: Person[];
  note: string | null;
  due_date: string | null;
  /** Oldest first. */
  approvals: ReviewApprovalGiven[];
  /** Who approved last, or asked for changes; null until it is decided. */
  decided_by: Person | null;
  decided_at: string | null;
  decision_note: string | null;
  created_at: string;
}

export interface Person {
  /** Of the membership; null once the person was erased. */
  id: string | null;
  /** The part of the address before `@`, or `Former member`. */
  name: string;
}

export interface ReviewApprovalGiven {
  by: Person;
  at: string;
  note: string | null;
}

export interface ReviewApproval {
  note?: string | null | undefined;
  /** The number of the revision that you have read; another one than the newest is 409. Of a pending edit it has none. */
  revision?: number | undefined;
}

export interface ChangesRequest {
  note: string;
}

export interface ReviewPage {
  items: Review[];
  next_cursor: string | null;
}

export interface NotePage {
  items: Note[];
  next_cursor: string | null;
}

export interface Note {
  id: string;
  article_id: string;
  /** The note that begins the thread; null for that one. */
  parent_id: string | null;
  body: string;
  quote: string | null;
  /** Where the quote is in the content, in code points; null while the content does not have it. */
  position: NotePosition | null;
  author: Person;
  mentions: Person[];
  resolved: boolean;
  resolved_by: Person | null;
  created_at: string;
  updated_at: string;
}

export interface NotePosition {
  start: number;
  end: number;
}

export interface NoteWrite {
  /** Plain text. */
  body: string;
  /** What the note is about. It has to occur in the content, or in that of the pending edit. */
  quote?: string | undefined;
  /** Which occurrence of the quote is meant, from 1; by default the first. */
  occurrence?: number | undefined;
  /** The note that this one replies to. */
  parent_id?: string | null | undefined;
  mention_ids?: readonly string[] | undefined;
}

export interface NoteUpdate {
  /** Plain text. */
  body?: string | undefined;
  resolved?: boolean | undefined;
}

export interface PreviewLinkWrite {
  /** Seconds until the link stops working. */
  expires_in?: number | undefined;
}

export interface PreviewLinkWithUrl {
  id: string;
  expires_at: string;
  created_at: string;
  /** Contains the token. Only the first answer has it; a replay has null. */
  url: string | null;
}

export interface PreviewLinkPage {
  items: PreviewLink[];
  next_cursor: string | null;
}

export interface PreviewLink {
  id: string;
  expires_at: string;
  created_at: string;
}

export interface CategoryPage {
  items: PartialCategory[];
  next_cursor: string | null;
}

export interface PartialCategory {
  id: string;
  name?: string;
  slug?: string;
  article_count?: number;
  created_at?: string;
  updated_at?: string;
}

export interface TaxonomyTermWrite {
  name: string;
  slug?: string | undefined;
}

export interface Category {
  id: string;
  name: string;
  slug: string;
  article_count: number;
  created_at: string;
  updated_at: string;
}

export interface TaxonomyTermUpdate {
  name?: string | undefined;
  slug?: string | undefined;
}

export interface TagPage {
  items: PartialTag[];
  next_cursor: string | null;
}

export interface PartialTag {
  id: string;
  name?: string;
  slug?: string;
  article_count?: number;
  created_at?: string;
  updated_at?: string;
}

export interface Tag {
  id: string;
  name: string;
  slug: string;
  article_count: number;
  created_at: string;
  updated_at: string;
}

export interface AuthorPage {
  items: PartialAuthor[];
  next_cursor: string | null;
}

export interface PartialAuthor {
  id: string;
  name?: string;
  slug?: string;
  article_count?: number;
  created_at?: string;
  updated_at?: string;
  bio?: string | null;
  avatar_url?: string | null;
  is_ai_generated?: boolean;
}

export interface AuthorWrite {
  name: string;
  slug?: string | undefined;
  bio?: string | null | undefined;
  avatar_url?: string | null | undefined;
  is_ai_generated?: boolean | undefined;
}

export interface Author {
  id: string;
  name: string;
  slug: string;
  article_count: number;
  created_at: string;
  updated_at: string;
  bio: string | null;
  avatar_url: string | null;
  is_ai_generated: boolean;
}

export interface AuthorUpdate {
  name?: string | undefined;
  slug?: string | undefined;
  bio?: string | null | undefined;
  avatar_url?: string | null | undefined;
  is_ai_generated?: boolean | undefined;
}

export interface MediaPage {
  items: PartialMediaAsset[];
  next_cursor: string | null;
}

export interface PartialMediaAsset {
  id: string;
  bucket?: Open<'blog-images' | 'author-avatars'>;
  url?: string;
  /** The addresses of smaller versions with their widths, and of the image itself, for the attribute `srcset`. An animated image has itself alone. */
  srcset?: string;
  file_name?: string | null;
  mime_type?: string | null;
  size_bytes?: number | null;
  width?: number | null;
  height?: number | null;
  alt_text?: string | null;
  created_at?: string;
}

export interface UploadRequest {
  /** Of any length. Only the last path segment is kept, and only its letters, digits, dots, hyphens and underscores. */
  file_name: string;
  content_type: 'image/webp' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/avif';
  size_bytes?: number | undefined;
  bucket?: 'blog-images' | 'author-avatars' | undefined;
}

export interface UploadReservation {
  upload_id: string;
  upload_url: string | null;
  upload_url_replayable: boolean;
  method: 'PUT';
  headers: Record<string, string>;
  expires_at: string;
  max_size_bytes: number;
}

export interface RegisterMedia {
  upload_id: string;
  alt_text?: string | null | undefined;
}

export interface MediaAsset {
  id: string;
  bucket: Open<'blog-images' | 'author-avatars'>;
  url: string;
  /** The addresses of smaller versions with their widths, and of the image itself, for the attribute `srcset`. An animated image has itself alone. */
  srcset: string;
  file_name: string | null;
  mime_type: string | null;
  size_bytes: number | null;
  width: number | null;
  height: number | null;
  alt_text: string | null;
  created_at: string;
}

export interface MediaUpdate {
  alt_text?: string | null | undefined;
}

export interface PostComments {
  enabled: boolean;
  /** Whether the article accepts new comments. */
  open: boolean;
  require_email: boolean;
  items: PublicComment[];
  next_cursor: string | null;
}

export interface PublicComment {
  id: string;
  parent_id: string | null;
  author_name: string;
  body: string;
  created_at: string;
}

export interface CommentWrite {
  /** The slug of a published article. */
  slug: string;
  body: string;
  author_name: string;
  author_email?: string | null | undefined;
  /** The id of an approved comment on the article. A reply to a reply joins its thread. */
  parent_id?: string | null | undefined;
  /** The reader's IP address. A hash of it is stored for a day. */
  reader_ip?: string | null | undefined;
}

export interface SubmittedComment {
  status: Open<'approved' | 'pending'>;
  duplicate: boolean;
}

export interface CommentPage {
  items: Comment[];
  next_cursor: string | null;
  counts: CommentCounts;
}

export interface Comment {
  id: string;
  article_id: string;
  slug: string | null;
  parent_id: string | null;
  status: Open<'approved' | 'pending' | 'spam'>;
  author_name: string;
  author_email: string | null;
  body: string;
  is_reply_by_site: boolean;
  created_at: string;
  updated_at: string;
  spam_marked_at: string | null;
}

/** Counts of the whole Site, regardless of the filters. */
export interface CommentCounts {
  approved: number;
  pending: number;
  spam: number;
}

export interface CommentSettings {
  enabled: boolean;
  moderation: Open<'none' | 'hold_links' | 'hold_all'>;
  require_email: boolean;
  close_after_days: number | null;
}

export interface CommentSettingsUpdate {
  enabled?: boolean | undefined;
  moderation?: 'none' | 'hold_links' | 'hold_all' | undefined;
  require_email?: boolean | undefined;
  close_after_days?: number | null | undefined;
}

export interface CommentErase {
  author_email: string;
}

export interface CommentEraseResult {
  deleted: number;
}

export interface CommentReplyWrite {
  body: string;
  /** The default is the name of the Site. */
  author_name?: string | undefined;
}

export interface PlanItemPage {
  items: PlanItem[];
  next_cursor: string | null;
}

export interface PlanItem {
  id: string;
  title: string;
  notes: string | null;
  keywords: string[];
  source_url: string | null;
  source_urls: string[];
  format_id: string | null;
  category_id: string | null;
  author_id: string | null;
  target_date: string | null;
  /** `started`: a run took it. `done`: its article was published. The service sets these two. */
  status: Open<'idea' | 'approved' | 'rejected' | 'started' | 'done'>;
  /** Its place in the plan: ranks sort as texts, byte by byte. */
  rank: string;
  /** The article that a run made of it; null once that is deleted. */
  article_id: string | null;
  /** The run that took it. */
  run_id: string | null;
  created_at: string;
  updated_at: string;
}

export interface PlanItemWrite {
  /** What the text should say, and what to mind: for people, and for the pipeline. */
  notes?: string | null | undefined;
  keywords?: readonly string[] | null | undefined;
  /** A page that the pipeline takes facts from. */
  source_url?: string | null | undefined;
  /** Further pages that the pipeline takes facts from, at most 20 together with source_url. */
  source_urls?: readonly string[] | null | undefined;
  format_id?: string | null | undefined;
  category_id?: string | null | undefined;
  author_id?: string | null | undefined;
  /** When it should be published. Nothing happens at that date by itself. */
  target_date?: string | null | undefined;
  status?: 'idea' | 'approved' | 'rejected' | undefined;
  title: string;
}

export interface PlanItemUpdate {
  /** What the text should say, and what to mind: for people, and for the pipeline. */
  notes?: string | null | undefined;
  keywords?: readonly string[] | null | undefined;
  /** A page that the pipeline takes facts from. */
  source_url?: string | null | undefined;
  /** Further pages that the pipeline takes facts from, at most 20 together with source_url. */
  source_urls?: readonly string[] | null | undefined;
  format_id?: string | null | undefined;
  category_id?: string | null | undefined;
  author_id?: string | null | undefined;
  /** When it should be published. Nothing happens at that date by itself. */
  target_date?: string | null | undefined;
  status?: 'idea' | 'approved' | 'rejected' | undefined;
  title?: string | undefined;
  /** Moves the item behind this one, or with null to the top of the plan. It is not stored. */
  after?: string | null | undefined;
}

export interface Autopilot {
  enabled: boolean;
  weekdays: (Open<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>)[];
  /** In the timezone of the Site. A time that a day lacks, when clocks go forward, does not happen on it. */
  time: string;
  /** How many items a firing starts at most. */
  items: number;
  /** The last firing. */
  last: AutopilotFiring | null;
}

export interface AutopilotFiring {
  at: string;
  /** The run that was started. */
  run_id: string | null;
  /** What `POST /pipeline/runs` would have answered; CONFLICT if no item was approved. */
  error: AutopilotError | null;
}

export interface AutopilotError {
  code: string;
  message: string;
}

export interface AutopilotUpdate {
  enabled?: boolean | undefined;
  weekdays?: readonly ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] | undefined;
  /** In the timezone of the Site. A time that a day lacks, when clocks go forward, does not happen on it. */
  time?: string | undefined;
  /** How many items a firing starts at most. */
  items?: number | undefined;
}

export interface StartPipelineRun {
  topics?: readonly Topic[] | undefined;
  article_ids?: readonly string[] | undefined;
  /** Items of the content plan, each once, and no other field. Their articles are in this order. */
  plan_item_ids?: readonly string[] | undefined;
  resume_run_id?: string | undefined;
}

export interface PipelineRun {
  id: string;
  status: Open<'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled'>;
  reason: Open<'insufficient_credits' | 'spend_cap_reached' | 'cancelled' | 'provider_unavailable'> | null;
  writer: Open<'offline' | 'llm'>;
  articles: RunArticle[];
  totals: RunTotals;
  credits_spent: number;
  tokens: Tokens | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface RunArticle {
  article_id: string;
  /** The current status of the article; null after it has been deleted. */
  status: Open<'draft' | 'scheduled' | 'published' | 'discovered' | 'scored' | 'skipped' | 'scraped' | 'generated' | 'needs_improvement' | 'needs_images' | 'queued' | 'rejected' | 'failed'> | null;
  /** The last completed stage. */
  stage: Open<'classify' | 'extract' | 'plan' | 'generate' | 'improve'> | null;
  error: string | null;
  /** The article that is about the same already, so that this one was skipped; null after it has been deleted. */
  duplicate_of: string | null;
  /** How well the topic fits the blog; null until it is judged. */
  score: number | null;
}

export interface RunTotals {
  articles: number;
  stages_done: number;
  stages_total: number;
}

/** Tokens of all calls of the model, failed attempts included; null if there were none. */
export interface Tokens {
  input: number;
  output: number;
}

export interface PipelineRunPage {
  items: PipelineRun[];
  next_cursor: string | null;
}

export interface PipelineStepPage {
  items: PipelineStep[];
  next_cursor: string | null;
}

export interface PipelineStep {
  id: string;
  article_id: string;
  stage: Open<'classify' | 'extract' | 'plan' | 'generate' | 'improve'>;
  /** Counts from 1. An attempt whose worker was lost is repeated with the same number. */
  attempt: number;
  status: Open<'succeeded' | 'failed'>;
  /** Null for the built-in writer. */
  model: string | null;
  started_at: string;
  finished_at: string;
  tokens: Tokens | null;
  /** Taken for the attempt and kept. */
  credits: number;
  error: StepError;
  /** Null without the permission prompts.manage, and for the built-in writer. */
  prompt: string | null;
  /** What the model answered last; null as `prompt` is. */
  answer: string | null;
}

export interface StepError {
  code: string;
  message: string;
}

export interface PipelineArticle {
  article_id: string;
  status: Open<'draft' | 'scheduled' | 'published' | 'discovered' | 'scored' | 'skipped' | 'scraped' | 'generated' | 'needs_improvement' | 'needs_images' | 'queued' | 'rejected' | 'failed'>;
  /** How well the topic fits, 0 to 100; null before `classify`. */
  score: number | null;
  duplicate_of: string | null;
  outline: PipelineOutline | null;
  suggestions: PipelineSuggestions | null;
  sources: Source[] | null;
  /** Those that were begun, in their order. */
  stages: StageState[];
  rejected: PipelineRejection | null;
}

export interface PipelineOutline {
  sections: PipelineOutlineSection[];
}

export interface PipelineOutlineSection {
  heading: string;
  points: string[];
  min_words: number | null;
}

/** What the stage `improve` proposes; null before it. Tags and category are set when the article has none. */
export interface PipelineSuggestions {
  titles: string[];
  tag_ids: string[];
  category_id: string | null;
  excerpt: string | null;
  seo_title: string | null;
  seo_description: string | null;
}

export interface StageState {
  stage: Open<'classify' | 'extract' | 'plan' | 'generate' | 'improve'>;
  /** What the newest attempt came to; `running` while a run is at the stage. */
  status: Open<'succeeded' | 'failed' | 'running'>;
  run_id: string;
  finished_at: string | null;
}

/** Null unless the article is rejected. */
export interface PipelineRejection {
  at: string;
  by: Person | null;
  reason: string | null;
}

export interface Rejection {
  /** For the team; readers never see it. */
  reason?: string | null | undefined;
}

export interface ClaimPage {
  items: Claim[];
  next_cursor: string | null;
}

export interface Claim {
  id: string;
  /** A sentence or a clause, as the content has it. */
  text: string;
  /** Where it is in the content, in code points; null while the content does not have it. */
  position: ClaimPosition | null;
  /** `weak`: the source says something like it, or the sentence cites another source. */
  verdict: Open<'supported' | 'weak' | 'unsupported'>;
  /** The source that has the evidence, by its number in `sources` of the article. */
  source_n: number | null;
  /** What the source says, or the notes of the topic, word by word. At most 500 characters. */
  evidence: string | null;
}

export interface ClaimPosition {
  start: number;
  end: number;
}

export interface BacklinkImport {
  /** The file, whose first line names the columns. At most 25,000 lines. */
  csv: string;
  /** The tool that made the file; `auto` finds it out. */
  source?: 'auto' | 'ahrefs' | 'semrush' | 'search_console' | 'generic' | undefined;
}

export interface BacklinksImported {
  /** The tool that made the file. */
  source: Open<'ahrefs' | 'semrush' | 'search_console' | 'generic'>;
  /** Links that are new. */
  added: number;
  /** Links that were known. */
  updated: number;
  /** The first 100 lines that are no links. */
  rejected: RejectedLine[];
  rejected_total: number;
}

export interface RejectedLine {
  /** The line of the file, the first being 1. */
  line: number;
  message: string;
}

export interface BacklinkPage {
  items: Backlink[];
  next_cursor: string | null;
}

export interface Backlink {
  id: string;
  source_url: string;
  target_url: string;
  /** The text of the link; null if it is not known. */
  anchor: string | null;
  /** Such as `nofollow`, `ugc` or `sponsored`. */
  rel: string[];
  /** The article at the target, as of the last import. */
  article_id: string | null;
  /** `unknown` until a scan of the kind backlinks has looked. */
  status: Open<'unknown' | 'live' | 'lost'>;
  first_seen_at: string;
  last_seen_at: string;
  /** When a scan has looked last. */
  checked_at: string | null;
}

export interface StartSiteCrawl {
  /** Articles whose pages others should link to (`orphan-page`); without it, all published articles. */
  article_ids?: readonly string[] | undefined;
  /** A scan of this kind that ended early: what it left is looked at. */
  resume_scan_id?: string | undefined;
  /** How many pages are fetched at most; 200 by default. */
  max_pages?: number | undefined;
  /** Where it begins: an https URL on the Site’s domain, by default the home page. It stays on that origin: redirects to others are not followed. */
  start_url?: string | undefined;
}

export interface SeoScan {
  id: string;
  kind: Open<'site-crawl' | 'on-page' | 'structured-data' | 'outbound-links' | 'backlinks' | 'internal-links' | 'keyword-overlap'>;
  status: Open<'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled'>;
  /** Why it ended before everything was looked at. */
  reason: Open<'insufficient_credits' | 'spend_cap_reached' | 'cancelled' | 'provider_unavailable'> | null;
  units: ScanUnits;
  found: ScanFound;
  credits_spent: number;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** Of this scan alone. A unit costs one credit. */
export interface ScanUnits {
  done: number;
  /** null as long as nobody can know, as in a crawl. */
  total: number | null;
}

/** Faults that this scan found, known ones as well. */
export interface ScanFound {
  error: number;
  warning: number;
  notice: number;
}

export interface StartScan {
  /** What is looked at; without it, all published articles. */
  article_ids?: readonly string[] | undefined;
  /** A scan of this kind that ended early: what it left is looked at. */
  resume_scan_id?: string | undefined;
}

export interface SeoScanPage {
  items: SeoScan[];
  next_cursor: string | null;
}

export interface FindingPage {
  items: Finding[];
  next_cursor: string | null;
}

export interface Finding {
  id: string;
  kind: Open<'site-crawl' | 'on-page' | 'structured-data' | 'outbound-links' | 'backlinks' | 'internal-links' | 'keyword-overlap'>;
  rule: Open<'broken-page' | 'redirect-chain' | 'redirect-loop' | 'duplicate-title' | 'missing-title' | 'missing-description' | 'noindex' | 'canonical-mismatch' | 'mixed-content' | 'orphan-page' | 'blocked-by-robots' | 'title-length' | 'description-length' | 'heading-order' | 'missing-alt' | 'thin-content' | 'keyword-missing' | 'long-paragraph' | 'hard-to-read' | 'invalid-json-ld' | 'missing-required-property' | 'missing-recommended-property' | 'no-structured-data' | 'broken-link' | 'redirected-link' | 'insecure-link' | 'lost-backlink' | 'nofollow-backlink' | 'backlink-to-missing-page' | 'orphan-article' | 'missing-related-link' | 'broken-internal-link' | 'competing-articles'>;
  severity: Open<'error' | 'warning' | 'notice'>;
  /** `fixed`: a later scan looked and did not find it. A dismissed one stays dismissed. */
  status: Open<'open' | 'dismissed' | 'fixed'>;
  url: string | null;
  article_id: string | null;
  /** What was found; its members depend on the rule. */
  evidence: Record<string, unknown>;
  first_seen_at: string;
  last_seen_at: string;
  fixed_at: string | null;
}

export interface FindingUpdate {
  status: 'open' | 'dismissed';
}

export interface ApiKeyPage {
  items: ApiKey[];
  next_cursor: string | null;
}

export interface ApiKey {
  id: string;
  name: string;
  kind: Open<'publishable' | 'secret'>;
  key_prefix: string;
  scopes: string[];
  held_by_agent: boolean;
  drafts_only: boolean;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
}

export interface ApiKeyWrite {
  name: string;
  kind: 'publishable' | 'secret';
  scopes: readonly ('articles:read' | 'articles:write' | 'taxonomy:read' | 'taxonomy:write' | 'authors:read' | 'authors:write' | 'media:read' | 'media:write' | 'pipeline:read' | 'pipeline:run' | 'keys:read' | 'keys:write' | 'webhooks:read' | 'webhooks:write' | 'meta:read' | 'comments:read' | 'comments:write' | 'engagement:write' | 'prompts:write')[];
  expires_at?: string | null | undefined;
  held_by_agent?: boolean | undefined;
  /** Whether the key may only write what no reader sees. It cannot be changed later. */
  drafts_only?: boolean | undefined;
}

export interface ApiKeyWithSecret {
  id: string;
  name: string;
  kind: Open<'publishable' | 'secret'>;
  key_prefix: string;
  scopes: string[];
  held_by_agent: boolean;
  drafts_only: boolean;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
  secret: string | null;
  secret_replayable: boolean;
}

export interface RotateApiKey {
  grace_seconds?: number | undefined;
}

export interface DeviceSignInWrite {
  /** Shown to the person who decides, and used as the name of the key. */
  client_name: string;
  /** The default is every scope that the person can grant. */
  scopes?: readonly ('articles:read' | 'articles:write' | 'taxonomy:read' | 'taxonomy:write' | 'authors:read' | 'authors:write' | 'media:read' | 'media:write' | 'pipeline:read' | 'pipeline:run' | 'keys:read' | 'keys:write' | 'webhooks:read' | 'webhooks:write' | 'meta:read' | 'comments:read' | 'comments:write' | 'engagement:write' | 'prompts:write')[] | undefined;
  /** Whether an AI agent will hold the key. */
  held_by_agent?: boolean | undefined;
  /** Whether the key may only write what no reader sees. */
  drafts_only?: boolean | undefined;
}

export interface DeviceSignIn {
  /** For POST /auth/device/token. The device must keep it secret. */
  device_code: string;
  /** The code that the person enters, such as BCDF-GHJK. */
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  /** Seconds for which both codes are valid. */
  expires_in: 900;
  /** The minimum number of seconds between two polls. */
  interval: number;
}

export interface DeviceTokenRequest {
  device_code: string;
}

export interface DeviceToken {
  status: Open<'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'approved'>;
  /** Seconds to wait before the next poll; each slow_down adds 5. */
  interval: number;
  /** Present with approved. Its secret is null in later polls. */
  key?: ApiKeyWithSecret;
}

export interface DeviceDecisionWrite {
  /** The code that the device shows. The dash and upper case are optional. */
  user_code: string;
}

export interface DeviceDecision {
  status: Open<'approved' | 'denied'>;
  client_name: string;
  /** The approved scopes; for a denied sign-in, the requested ones. */
  scopes: string[];
  held_by_agent: boolean;
}

export interface Organisation {
  id: string;
  name: string;
  plan: Open<'free' | 'pro'>;
  /** Whether keys held by agents work at all. */
  agent_access: boolean;
  /** The operations for which a key held by an agent needs a person’s approval. */
  approval_operations: (Open<'article.publish' | 'article.unpublish' | 'article.schedule' | 'article.update_published' | 'pending_edit.publish' | 'pending_edit.schedule' | 'articles.bulk' | 'article.delete' | 'media.delete' | 'comment.delete' | 'comments.erase' | 'key.create' | 'key.rotate' | 'key.revoke' | 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret' | 'pipeline.run' | 'seo_scan.start' | 'cms.push' | 'autopilot.update' | 'member.add' | 'member.role' | 'member.remove' | 'connection.create' | 'connection.update' | 'connection.delete' | 'category.delete' | 'tag.delete' | 'author.delete' | 'webhook.delete' | 'plan_item.delete' | 'prompt.reset' | 'prompt.try' | 'preview_link.delete' | 'comments.settings'>)[];
  /** Whether `approval_operations` is the default: none has been chosen. */
  approval_operations_default: boolean;
  created_at: string;
}

export interface OrganisationWrite {
  name?: string | undefined;
  agent_access?: boolean | undefined;
  /** null for the default, which is every operation but `article.publish`, `article.unpublish`, `article.schedule`, `article.update_published`, `pending_edit.publish`, `pending_edit.schedule`, `articles.bulk`; an empty list for none. An operation that a later release lets agents ask for is added to your list by itself. */
  approval_operations?: readonly ('article.publish' | 'article.unpublish' | 'article.schedule' | 'article.update_published' | 'pending_edit.publish' | 'pending_edit.schedule' | 'articles.bulk' | 'article.delete' | 'media.delete' | 'comment.delete' | 'comments.erase' | 'key.create' | 'key.rotate' | 'key.revoke' | 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret' | 'pipeline.run' | 'seo_scan.start' | 'cms.push' | 'autopilot.update' | 'member.add' | 'member.role' | 'member.remove' | 'connection.create' | 'connection.update' | 'connection.delete' | 'category.delete' | 'tag.delete' | 'author.delete' | 'webhook.delete' | 'plan_item.delete' | 'prompt.reset' | 'prompt.try' | 'preview_link.delete' | 'comments.settings')[] | null | undefined;
}

export interface TeamMemberPage {
  items: TeamMember[];
  next_cursor: string | null;
}

export interface TeamMember {
  id: string;
  email: string;
  role: Open<'owner' | 'admin' | 'editor' | 'author' | 'contributor' | 'viewer'>;
  /** Whether the operator has set a password for the member. */
  can_sign_in: boolean;
  created_at: string;
}

export interface TeamInvitation {
  email: string;
  role: 'owner' | 'admin' | 'editor' | 'author' | 'contributor' | 'viewer';
}

export interface TeamMemberWrite {
  role?: 'owner' | 'admin' | 'editor' | 'author' | 'contributor' | 'viewer' | undefined;
}

export interface NotificationPage {
  items: Notification[];
  next_cursor: string | null;
}

export interface Notification {
  id: string;
  /** An open enumeration: `approval.requested`, `review.requested`, `review.decided`, `note.mentioned`, `note.replied`, `comment.held`, `publication.failed`, `pipeline_run.finished`, `seo_scan.finished`, `autopilot.refused`, `webhook.disabled`, `push.failed`, `billing.problem` and `security.*`. */
  kind: string;
  /** In the language of the person’s last session. */
  text: string;
  target: NotificationTarget | null;
  /** The screen of the dashboard that shows it. */
  url: string;
  created_at: string;
  read_at: string | null;
}

export interface NotificationTarget {
  type: string;
  id: string;
}

export interface NotificationsRead {
  /** Those that are not the person’s are ignored. */
  ids?: readonly string[] | undefined;
  /** Everything that came before. Exclusive. */
  before?: string | undefined;
}

export interface NotificationSettings {
  email: boolean;
  digest: Open<'immediate' | 'hourly' | 'daily'>;
  muted: string[];
}

export interface NotificationSettingsWrite {
  /** Whether the person gets mail. `security.*` is always sent. */
  email?: boolean | undefined;
  digest?: 'immediate' | 'hourly' | 'daily' | undefined;
  /** Kinds that are kept out of mail; the list has them. */
  muted?: readonly ('approval.requested' | 'review.requested' | 'review.decided' | 'note.mentioned' | 'note.replied' | 'comment.held' | 'publication.failed' | 'pipeline_run.finished' | 'seo_scan.finished' | 'autopilot.refused' | 'webhook.disabled' | 'push.failed' | 'billing.problem')[] | undefined;
}

export interface ChannelPage {
  items: Channel[];
  next_cursor: string | null;
}

export interface Channel {
  id: string;
  kind: Open<'slack' | 'teams'>;
  name: string;
  /** The host alone. */
  url: string;
  kinds: string[];
  enabled: boolean;
  /** Why the last attempt failed; null after a success. */
  last_error: string | null;
  created_at: string;
  updated_at: string;
}

export interface ChannelWrite {
  /** `slack` for incoming webhooks of Slack, Mattermost and Rocket.Chat, `teams` for those of Teams and Power Automate. */
  kind: 'slack' | 'teams';
  name: string;
  /** The URL of an incoming webhook, publicly reachable over https. Answers show its host. */
  url: string;
  /** The kinds of notifications that it gets: every kind but `security.*`. All of them by default, without those of later versions. */
  kinds?: readonly ('approval.requested' | 'review.requested' | 'review.decided' | 'note.mentioned' | 'note.replied' | 'comment.held' | 'publication.failed' | 'pipeline_run.finished' | 'seo_scan.finished' | 'autopilot.refused' | 'webhook.disabled' | 'push.failed' | 'billing.problem')[] | undefined;
  /** Whether anything is sent. */
  enabled?: boolean | undefined;
}

export interface ChannelUpdate {
  /** `slack` for incoming webhooks of Slack, Mattermost and Rocket.Chat, `teams` for those of Teams and Power Automate. */
  kind?: 'slack' | 'teams' | undefined;
  name?: string | undefined;
  /** The URL of an incoming webhook, publicly reachable over https. Answers show its host. */
  url?: string | undefined;
  /** The kinds of notifications that it gets: every kind but `security.*`. All of them by default, without those of later versions. */
  kinds?: readonly ('approval.requested' | 'review.requested' | 'review.decided' | 'note.mentioned' | 'note.replied' | 'comment.held' | 'publication.failed' | 'pipeline_run.finished' | 'seo_scan.finished' | 'autopilot.refused' | 'webhook.disabled' | 'push.failed' | 'billing.problem')[] | undefined;
  /** Whether anything is sent. */
  enabled?: boolean | undefined;
}

export interface ChannelTest {
  ok: boolean;
  message: string;
}

export interface AuditLogPage {
  items: AuditLogEntry[];
  next_cursor: string | null;
}

export interface AuditLogEntry {
  id: string;
  at: string;
  actor: AuditActor;
  /** An open enumeration. Actions on content are kept for 400 days: `article.create`, `article.update`, `article.delete`, `article.publish`, `article.unpublish`, `article.schedule`, `article.cancel_schedule`, `article.requeue`, `article.reject`, `pending_edit.update`, `pending_edit.delete`, `pending_edit.schedule`, `pending_edit.cancel_schedule`, `pending_edit.hold_back`, `note.create`, `note.update`, `note.delete`, `review.request`, `review.approve`, `review.request_changes`, `review.withdraw`, `bulk_job.create`, `bulk_job.cancel`, `seo_finding.update`, `category.create`, `category.update`, `category.delete`, `tag.create`, `tag.update`, `tag.delete`, `author.create`, `author.update`, `author.delete`, `media.register`, `media.update`, `media.delete`, `plan_item.create`, `plan_item.update`, `plan_item.delete`, `backlinks.import`, `backlink.delete`, `notifications.read`. All others are kept permanently: `organisation.create`, `organisation.update`, `organisation.delete`, `organisation.export`, `site.create`, `site.update`, `site.delete`, `member.add`, `member.role`, `member.remove`, `member.erase`, `member.password`, `member.sign_out`, `member.reset_link`, `member.two_factor_on`, `member.two_factor_off`, `member.recovery_codes`, `notifications.settings`, `sign_in.succeed`, `sign_in.fail`, `sign_in.end`, `key.create`, `key.rotate`, `key.secret_retired`, `key.revoke`, `preview_link.create`, `preview_link.delete`, `device_sign_in.approve`, `device_sign_in.deny`, `oauth_grant.approve`, `oauth_grant.deny`, `approval.ask`, `approval.approve`, `approval.deny`, `approval.use`, `credits.grant`, `billing.checkout`, `billing.portal`, `billing.auto_top_up`, `billing.purchase`, `billing.refund`, `billing.dispute`, `billing.top_up_failed`, `billing.overage`, `autopilot.update`, `pipeline.run`, `pipeline.cancel`, `seo_scan.start`, `seo_scan.cancel`, `prompt.save`, `prompt.reset`, `prompt.try`, `voice.update`, `content_type.create`, `content_type.update`, `comments.settings`, `comment.approve`, `comment.hold`, `comment.spam`, `comment.reply`, `comment.delete`, `comments.erase`, `comments.sweep`, `webhook.create`, `webhook.update`, `webhook.enable`, `webhook.disable`, `webhook.rotate_secret`, `webhook.delete`, `webhook.redeliver`, `webhook.replay`, `webhook.pause`, `webhook.resume`, `connection.create`, `connection.update`, `connection.delete`, `connection.test`, `channel.create`, `channel.update`, `channel.delete`, `channel.test`, `cms.push`, `maintenance.on`, `maintenance.off`. */
  action: string;
  target: AuditTarget | null;
  /** For an update, {"before", "after"} of each changed member; otherwise values. A value of more than 200 characters is replaced by its length. */
  details: Record<string, unknown>;
  /** The Request-Id of the request; null for the system. */
  request_id: string | null;
}

/** key is an API key. person is a member who signed in with a browser or, for sign_in.fail, whose address was entered. system is the operator’s command or the product itself, and has no id. */
export interface AuditActor {
  kind: Open<'key' | 'person' | 'system'>;
  id: string | null;
  name: string;
}

export interface AuditTarget {
  type: string;
  id: string | null;
}

export interface ApprovalPage {
  items: Approval[];
  next_cursor: string | null;
}

export interface Approval {
  id: string;
  status: Open<'pending' | 'approved' | 'denied' | 'expired' | 'used'>;
  /** The requested operation, by its name in the audit log. */
  action: Open<'article.publish' | 'article.unpublish' | 'article.schedule' | 'article.update_published' | 'pending_edit.publish' | 'pending_edit.schedule' | 'articles.bulk' | 'article.delete' | 'media.delete' | 'comment.delete' | 'comments.erase' | 'key.create' | 'key.rotate' | 'key.revoke' | 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret' | 'pipeline.run' | 'seo_scan.start' | 'cms.push' | 'autopilot.update' | 'member.add' | 'member.role' | 'member.remove' | 'connection.create' | 'connection.update' | 'connection.delete' | 'category.delete' | 'tag.delete' | 'author.delete' | 'webhook.delete' | 'plan_item.delete' | 'prompt.reset' | 'prompt.try' | 'preview_link.delete' | 'comments.settings'>;
  method: string;
  /** Relative to the base URL. */
  path: string;
  requested_by: KeyReference;
  created_at: string;
  /** The end of the time in which it can be decided and used. */
  expires_at: string;
  decided_at: string | null;
  decided_by: KeyReference | null;
  used_at: string | null;
}

export interface KeyReference {
  kind: 'key';
  id: string;
  name: string;
}

export interface ApprovalDetail {
  id: string;
  status: Open<'pending' | 'approved' | 'denied' | 'expired' | 'used'>;
  /** The requested operation, by its name in the audit log. */
  action: Open<'article.publish' | 'article.unpublish' | 'article.schedule' | 'article.update_published' | 'pending_edit.publish' | 'pending_edit.schedule' | 'articles.bulk' | 'article.delete' | 'media.delete' | 'comment.delete' | 'comments.erase' | 'key.create' | 'key.rotate' | 'key.revoke' | 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret' | 'pipeline.run' | 'seo_scan.start' | 'cms.push' | 'autopilot.update' | 'member.add' | 'member.role' | 'member.remove' | 'connection.create' | 'connection.update' | 'connection.delete' | 'category.delete' | 'tag.delete' | 'author.delete' | 'webhook.delete' | 'plan_item.delete' | 'prompt.reset' | 'prompt.try' | 'preview_link.delete' | 'comments.settings'>;
  method: string;
  /** Relative to the base URL. */
  path: string;
  requested_by: KeyReference;
  created_at: string;
  /** The end of the time in which it can be decided and used. */
  expires_at: string;
  decided_at: string | null;
  decided_by: KeyReference | null;
  used_at: string | null;
  /** The body of the request. Shown to the requesting key and to people who may decide, as long as the approval can be decided or used; otherwise null. */
  body: Record<string, unknown> | null;
  /** The object of the request at the time of the request: for a key its name, scopes and person, for a member the address and role. Shown to the requesting key and to people who may decide; null for other operations. */
  target: Record<string, unknown> | null;
}

export interface ApprovalDecided {
  approval: Approval;
}

export interface WebhookPage {
  items: Webhook[];
  next_cursor: string | null;
}

export interface Webhook {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  enabled: boolean;
  disabled_reason: string | null;
  disabled_at: string | null;
  consecutive_failures: number;
  created_at: string;
  updated_at: string;
}

export interface WebhookWrite {
  /** A publicly reachable https URL. */
  url: string;
  /** `*` stands for every event, and `article.*` for every event of articles, those of later versions too. */
  events: readonly ('article.created' | 'article.scheduled' | 'article.schedule_cancelled' | 'article.published' | 'article.updated' | 'article.unpublished' | 'article.deleted' | 'pending_edit.created' | 'pending_edit.published' | 'review.requested' | 'review.decided' | 'comment.created' | 'comment.approved' | 'comment.removed' | 'category.created' | 'category.updated' | 'category.deleted' | 'tag.created' | 'tag.updated' | 'tag.deleted' | 'author.created' | 'author.updated' | 'author.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'pipeline_run.finished' | 'seo_scan.finished' | 'bulk_job.finished' | 'push.finished' | 'approval.requested' | 'approval.decided' | 'key.created' | 'key.revoked' | 'site.updated' | '*' | 'article.*' | 'pending_edit.*' | 'review.*' | 'comment.*' | 'category.*' | 'tag.*' | 'author.*' | 'media.*' | 'pipeline_run.*' | 'seo_scan.*' | 'bulk_job.*' | 'push.*' | 'approval.*' | 'key.*' | 'site.*')[];
  description?: string | null | undefined;
}

export interface WebhookWithSecret {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  enabled: boolean;
  disabled_reason: string | null;
  disabled_at: string | null;
  consecutive_failures: number;
  created_at: string;
  updated_at: string;
  secret: string | null;
  secret_replayable: boolean;
}

export interface WebhookUpdate {
  /** A publicly reachable https URL. */
  url?: string | undefined;
  /** `*` stands for every event, and `article.*` for every event of articles, those of later versions too. */
  events?: readonly ('article.created' | 'article.scheduled' | 'article.schedule_cancelled' | 'article.published' | 'article.updated' | 'article.unpublished' | 'article.deleted' | 'pending_edit.created' | 'pending_edit.published' | 'review.requested' | 'review.decided' | 'comment.created' | 'comment.approved' | 'comment.removed' | 'category.created' | 'category.updated' | 'category.deleted' | 'tag.created' | 'tag.updated' | 'tag.deleted' | 'author.created' | 'author.updated' | 'author.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'pipeline_run.finished' | 'seo_scan.finished' | 'bulk_job.finished' | 'push.finished' | 'approval.requested' | 'approval.decided' | 'key.created' | 'key.revoked' | 'site.updated' | '*' | 'article.*' | 'pending_edit.*' | 'review.*' | 'comment.*' | 'category.*' | 'tag.*' | 'author.*' | 'media.*' | 'pipeline_run.*' | 'seo_scan.*' | 'bulk_job.*' | 'push.*' | 'approval.*' | 'key.*' | 'site.*')[] | undefined;
  description?: string | null | undefined;
  enabled?: boolean | undefined;
}

export interface DeliveryPage {
  items: Delivery[];
  next_cursor: string | null;
}

export interface Delivery {
  id: string;
  event_id: string;
  event: string;
  attempt: number;
  status: Open<'succeeded' | 'failed'>;
  response_status: number | null;
  error: string | null;
  duration_ms: number;
  attempted_at: string;
  next_attempt_at: string | null;
  redelivery: boolean;
}

export interface Redelivered {
  event_id: string;
  endpoint_id: string;
}

export interface Replay {
  since: string;
  until?: string | undefined;
  events?: readonly ('article.created' | 'article.scheduled' | 'article.schedule_cancelled' | 'article.published' | 'article.updated' | 'article.unpublished' | 'article.deleted' | 'pending_edit.created' | 'pending_edit.published' | 'review.requested' | 'review.decided' | 'comment.created' | 'comment.approved' | 'comment.removed' | 'category.created' | 'category.updated' | 'category.deleted' | 'tag.created' | 'tag.updated' | 'tag.deleted' | 'author.created' | 'author.updated' | 'author.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'pipeline_run.finished' | 'seo_scan.finished' | 'bulk_job.finished' | 'push.finished' | 'approval.requested' | 'approval.decided' | 'key.created' | 'key.revoked' | 'site.updated')[] | undefined;
}

export interface Replayed {
  events: number;
}

export interface Pinged {
  event_id: string;
}

export interface EventPage {
  items: Event[];
  next_cursor: string | null;
}

export interface Event {
  id: string;
  event: string;
  created_at: string;
  data: Record<string, unknown>;
}

export interface ConnectionPage {
  items: Connection[];
  next_cursor: string | null;
}

export interface Connection {
  id: string;
  kind: Open<'git' | 'ghost' | 'wordpress' | 'http'>;
  name: string;
  config: ConnectionConfig;
  secret_set: boolean;
  auto: boolean;
  enabled: boolean;
  /** Why the last attempt failed; null after a success. */
  last_error: string | null;
  created_at: string;
  updated_at: string;
}

export interface ConnectionConfig {
  /** git: the repository, over https or ssh. */
  remote_url?: string;
  /** git: the branch that commits go to; `main` by default. */
  branch?: string;
  /** git: the folder of the files, relative; the root by default. */
  path?: string;
  /** ghost: the address of Ghost, with or without `/ghost`. */
  admin_url?: string;
  /** wordpress: the address of WordPress, with its folder if it has one. */
  site_url?: string;
  /** wordpress: the name of the user that the application password belongs to. */
  user?: string;
  /** http: a publicly reachable https URL. */
  url?: string;
}

export interface ConnectionWrite {
  kind: 'git' | 'ghost' | 'wordpress' | 'http';
  name: string;
  config: ConnectionConfigWrite;
  /** Write-only; null removes it. git over https: a password, or `user:password`; over ssh: an OpenSSH private key without a passphrase. ghost: an Admin API key. wordpress: an application password. http: a signing secret that begins with `whsec_`. */
  secret?: string | null | undefined;
  /** Whether articles are pushed when they are published, updated or unpublished. */
  auto?: boolean | undefined;
  /** Whether anything is pushed. */
  enabled?: boolean | undefined;
}

export interface ConnectionConfigWrite {
  /** git: the repository, over https or ssh. */
  remote_url?: string | undefined;
  /** git: the branch that commits go to; `main` by default. */
  branch?: string | undefined;
  /** git: the folder of the files, relative; the root by default. */
  path?: string | undefined;
  /** ghost: the address of Ghost, with or without `/ghost`. */
  admin_url?: string | undefined;
  /** wordpress: the address of WordPress, with its folder if it has one. */
  site_url?: string | undefined;
  /** wordpress: the name of the user that the application password belongs to. */
  user?: string | undefined;
  /** http: a publicly reachable https URL. */
  url?: string | undefined;
}

export interface ConnectionUpdate {
  name?: string | undefined;
  config?: ConnectionConfigWrite | undefined;
  /** Write-only; null removes it. git over https: a password, or `user:password`; over ssh: an OpenSSH private key without a passphrase. ghost: an Admin API key. wordpress: an application password. http: a signing secret that begins with `whsec_`. */
  secret?: string | null | undefined;
  /** Whether articles are pushed when they are published, updated or unpublished. */
  auto?: boolean | undefined;
  /** Whether anything is pushed. */
  enabled?: boolean | undefined;
}

export interface ConnectionTest {
  ok: boolean;
  message: string;
}

export interface PushWrite {
  /** The only enabled connection by default. */
  connection_id?: string | undefined;
  /** The articles, each once. One that is not published is removed at the remote. */
  article_ids: readonly string[];
  /** Whether to overwrite what was changed at the remote since the last push. */
  force?: boolean | undefined;
}

export interface Push {
  id: string;
  connection_id: string;
  /** In the order in which they were sent. */
  items: PushItem[];
  created_at: string;
  finished_at: string | null;
}

export interface PushItem {
  article_id: string;
  status: Open<'waiting' | 'succeeded' | 'failed' | 'diverged'>;
  /** Where the post is. */
  remote_url: string | null;
  /** Why it failed, or the last attempt if another follows, and what to do about it. */
  error: string | null;
  attempts: number;
}

export interface PushPage {
  items: Push[];
  next_cursor: string | null;
}

export interface ArticleCreatedEvent {
  id: string;
  event: 'article.created';
  created_at: string;
  data: Article;
}

export interface ArticleScheduledEvent {
  id: string;
  event: 'article.scheduled';
  created_at: string;
  data: Article;
}

export interface ArticleScheduleCancelledEvent {
  id: string;
  event: 'article.schedule_cancelled';
  created_at: string;
  data: Article;
}

export interface ArticlePublishedEvent {
  id: string;
  event: 'article.published';
  created_at: string;
  data: Article;
}

export interface ArticleUpdatedEvent {
  id: string;
  event: 'article.updated';
  created_at: string;
  data: Article;
}

export interface ArticleUnpublishedEvent {
  id: string;
  event: 'article.unpublished';
  created_at: string;
  data: Article;
}

export interface ArticleDeletedEvent {
  id: string;
  event: 'article.deleted';
  created_at: string;
  data: ArticleDeletedData;
}

export interface ArticleDeletedData {
  id: string;
}

export interface PendingEditCreatedEvent {
  id: string;
  event: 'pending_edit.created';
  created_at: string;
  data: PendingEditData;
}

export interface PendingEditData {
  /** The version of the article when the edit was begun. */
  base_version: number;
  /** The live article with the edit applied. */
  article: Article;
  /** When the edit or its schedule changed last. */
  updated_at: string;
  /** When the edit will be published. */
  scheduled_at: string | null;
  /** Only after a schedule that could not be carried out: the fields that stood against it. The next edit clears it. */
  conflict?: string[];
  article_id: string;
}

export interface PendingEditPublishedEvent {
  id: string;
  event: 'pending_edit.published';
  created_at: string;
  data: Article;
}

export interface ReviewRequestedEvent {
  id: string;
  event: 'review.requested';
  created_at: string;
  data: Review;
}

export interface ReviewDecidedEvent {
  id: string;
  event: 'review.decided';
  created_at: string;
  data: Review;
}

export interface CommentCreatedEvent {
  id: string;
  event: 'comment.created';
  created_at: string;
  data: CommentEventData;
}

export interface CommentEventData {
  id: string;
  article_id: string;
  slug: string;
  parent_id: string | null;
  status: Open<'approved' | 'pending'>;
  /** null after the reader was erased. */
  author_name: string | null;
  /** Plain text; null after the reader was erased. */
  body: string | null;
  created_at: string;
}

export interface CommentApprovedEvent {
  id: string;
  event: 'comment.approved';
  created_at: string;
  data: ModeratedCommentData;
}

export interface ModeratedCommentData {
  id: string;
  article_id: string;
  /** null where an article that was unpublished has lost it. */
  slug: string | null;
  parent_id: string | null;
  /** What the comment is now, or was when it was deleted. */
  status: Open<'approved' | 'pending' | 'spam'>;
  /** null after the reader was erased. */
  author_name: string | null;
  /** Plain text; null after the reader was erased. */
  body: string | null;
  created_at: string;
}

export interface CommentRemovedEvent {
  id: string;
  event: 'comment.removed';
  created_at: string;
  data: ModeratedCommentData;
}

export interface CategoryCreatedEvent {
  id: string;
  event: 'category.created';
  created_at: string;
  data: Category;
}

export interface CategoryUpdatedEvent {
  id: string;
  event: 'category.updated';
  created_at: string;
  data: Category;
}

export interface CategoryDeletedEvent {
  id: string;
  event: 'category.deleted';
  created_at: string;
  data: CategoryDeletedData;
}

export interface CategoryDeletedData {
  id: string;
}

export interface TagCreatedEvent {
  id: string;
  event: 'tag.created';
  created_at: string;
  data: Tag;
}

export interface TagUpdatedEvent {
  id: string;
  event: 'tag.updated';
  created_at: string;
  data: Tag;
}

export interface TagDeletedEvent {
  id: string;
  event: 'tag.deleted';
  created_at: string;
  data: TagDeletedData;
}

export interface TagDeletedData {
  id: string;
}

export interface AuthorCreatedEvent {
  id: string;
  event: 'author.created';
  created_at: string;
  data: Author;
}

export interface AuthorUpdatedEvent {
  id: string;
  event: 'author.updated';
  created_at: string;
  data: Author;
}

export interface AuthorDeletedEvent {
  id: string;
  event: 'author.deleted';
  created_at: string;
  data: AuthorDeletedData;
}

export interface AuthorDeletedData {
  id: string;
}

export interface MediaCreatedEvent {
  id: string;
  event: 'media.created';
  created_at: string;
  data: MediaAsset;
}

export interface MediaUpdatedEvent {
  id: string;
  event: 'media.updated';
  created_at: string;
  data: MediaAsset;
}

export interface MediaDeletedEvent {
  id: string;
  event: 'media.deleted';
  created_at: string;
  data: MediaDeletedData;
}

export interface MediaDeletedData {
  id: string;
}

export interface PipelineRunFinishedEvent {
  id: string;
  event: 'pipeline_run.finished';
  created_at: string;
  data: PipelineRun;
}

export interface SeoScanFinishedEvent {
  id: string;
  event: 'seo_scan.finished';
  created_at: string;
  data: SeoScan;
}

export interface BulkJobFinishedEvent {
  id: string;
  event: 'bulk_job.finished';
  created_at: string;
  data: BulkJob;
}

export interface PushFinishedEvent {
  id: string;
  event: 'push.finished';
  created_at: string;
  data: Push;
}

export interface ApprovalRequestedEvent {
  id: string;
  event: 'approval.requested';
  created_at: string;
  data: Approval;
}

export interface ApprovalDecidedEvent {
  id: string;
  event: 'approval.decided';
  created_at: string;
  data: Approval;
}

export interface KeyCreatedEvent {
  id: string;
  event: 'key.created';
  created_at: string;
  data: ApiKey;
}

export interface KeyRevokedEvent {
  id: string;
  event: 'key.revoked';
  created_at: string;
  data: ApiKey;
}

export interface SiteUpdatedEvent {
  id: string;
  event: 'site.updated';
  created_at: string;
  data: Site;
}

export interface PingEvent {
  id: string;
  event: 'ping';
  created_at: string;
  data: PingData;
}

export interface PingData {
}
