/** The public names. */
export {
  type JobProgress,
  PageJob as BatchScrapeJob,
  PageJob as CrawlJob,
  type WaitOptions,
} from "./calls/page-job.ts";
export type { Action } from "./contract/actions.ts";
export type { BatchScrapeRequest } from "./contract/batch-scrape.ts";
export type { CallContext } from "./contract/call-context.ts";
export type { CrawlRequest } from "./contract/crawl.ts";
export type { FailedDeliveries, FailedDelivery } from "./contract/deliveries.ts";
export type { ActionsResult, ChangeTracking, Document, DocumentMetadata, ScrapeResponse } from "./contract/document.ts";
export type {
  ActiveCrawl,
  ActiveCrawls,
  Cancelled,
  JobError,
  JobErrors,
  JobState,
  JobStatus,
  StatusPage,
} from "./contract/job.ts";
export type { MapRequest, MapResponse } from "./contract/map.ts";
export type { ScrapeRequest } from "./contract/scrape.ts";
export type { ScrapeOptions } from "./contract/scrape-options.ts";
export type { CreditUsage, TokenUsage, UsagePeriod, UsageQuery } from "./contract/usage.ts";
export type { Webhook } from "./contract/webhook.ts";
export { batchScrape, closeDefaultEngine, configure, crawl, map, scrape } from "./default-engine.ts";
export { type MemoryStorageOptions, memoryStorage } from "./drivers/memory/index.ts";
export { type MemoryQueueOptions, memoryQueue } from "./drivers/memory-queue.ts";
export { verifyWebhook } from "./drivers/webhook-signature.ts";
export { createEngine, type Engine } from "./engine.ts";
export { CrawlcoreError, type ErrorCode, type ErrorDetail, RequestError, ScrapeError } from "./errors.ts";
export type { NetworkOptions } from "./network-options.ts";
export {
  type BrowserChoice,
  type BrowserOptions,
  defaultLimits,
  defaultPricing,
  type EngineOptions,
  type Limits,
  type Pricing,
  type ProxyPool,
  type WebhookOptions,
} from "./options.ts";
export type { Authorization, Billing, BillingRequest } from "./ports/billing.ts";
export type { EventSink, JobEvent, JobEventType } from "./ports/event-sink.ts";
export type { Fetcher, FetchNeed, FetchRequest, FetchResponse } from "./ports/fetcher.ts";
export type { FileStore } from "./ports/file-store.ts";
export type { HttpClient, HttpRequest, HttpResponse } from "./ports/http-client.ts";
export type { JobQueue, Task } from "./ports/job-queue.ts";
export type * from "./ports/job-store.ts";
export type { Charge, ChargeKind, Ledger, MonthlyUsage } from "./ports/ledger.ts";
export type { LogFields, Logger } from "./ports/logger.ts";
export type { FailedItem, Outbox, OutboxItem, OutboxLane } from "./ports/outbox.ts";
export type { CachedPage, PageCache } from "./ports/page-cache.ts";
export type { SearchHit, SearchProvider, SearchQuery } from "./ports/search-provider.ts";
export type { Storage } from "./ports/storage.ts";
