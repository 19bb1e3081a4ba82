/** The public names. */
export { ExtractJob, type ExtractWaitOptions } from "./calls/extract-job.ts";
export { PageJob as BatchScrapeJob, PageJob as CrawlJob } from "./calls/page-job.ts";
export type { Action } from "./contract/actions.ts";
export type { BatchScrapeRequest } from "./contract/batch-scrape.ts";
export type { CallContext } from "./contract/call-context.ts";
export type { CrawlRequest } from "./contract/crawl.ts";
export type { DeliveryFilter, FailedDeliveries, FailedDelivery } from "./contract/deliveries.ts";
export type { ActionsResult, ChangeTracking, Document, DocumentMetadata, ScrapeResponse } from "./contract/document.ts";
export type { ExtractRequest, ExtractStatus } from "./contract/extract.ts";
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
export type { JsonSchema, SchemaOption, SchemaOutput, StandardSchema } from "./contract/schema-option.ts";
export type { ScrapeRequest } from "./contract/scrape.ts";
export type { ScrapeOptions } from "./contract/scrape-options.ts";
export type { SearchRequest, SearchResponse, SearchResult, SearchScrapeOptions } from "./contract/search.ts";
export type { CreditUsage, TokenUsage, UsagePeriod, UsageQuery } from "./contract/usage.ts";
export type { JobProgress, WaitOptions } from "./contract/wait-options.ts";
export type { Webhook } from "./contract/webhook.ts";
export { batchScrape, closeDefaultEngine, configure, crawl, extract, map, scrape, search } from "./default-engine.ts";
export { ledgerBilling } from "./drivers/ledger-billing.ts";
export { type MemoryStorageOptions, memoryStorage } from "./drivers/memory/index.ts";
export { type MemoryQueueOptions, memoryQueue } from "./drivers/memory-queue.ts";
export { type BraveOptions, brave } from "./drivers/search/brave.ts";
export { type DuckDuckGoOptions, duckDuckGo } from "./drivers/search/duckduckgo.ts";
export { type JsonSearchOptions, jsonSearch } from "./drivers/search/json-search.ts";
export { ownIndex } from "./drivers/search/own-index.ts";
export { type SearxngOptions, searxng } from "./drivers/search/searxng.ts";
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
export type { Authorization, Billing, BillingRequest, Reservation } from "./ports/billing.ts";
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
export type { NewPageVersion, PageVersion, PageVersions, VersionedPage } from "./ports/page-versions.ts";
export type { IndexedPage, IndexQuery, SearchIndex } from "./ports/search-index.ts";
export type { SearchHit, SearchLimits, SearchOptions, SearchProvider, SearchQuery } from "./ports/search-provider.ts";
export type { Storage } from "./ports/storage.ts";
export type {
  CounterName,
  SpanName,
  Telemetry,
  TelemetryAttributes,
  TelemetrySpan,
} from "./ports/telemetry.ts";
export { type ServiceRequest, type ServiceRoute, serviceRoutes } from "./service-routes.ts";
export { type ServiceMessage, watchService } from "./service-watch.ts";
