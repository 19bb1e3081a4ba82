/** Assembles the parts that tell others about jobs: webhooks, event sinks and a host's billing, behind the outbox. */

import { webhookSender } from "./drivers/webhook.ts";
import type { Sinks } from "./jobs/announce.ts";
import { createDelivery } from "./jobs/deliver.ts";
import type { DeliveryTarget } from "./jobs/deliver-items.ts";
import { absentSink, billingTarget, sinkTarget } from "./jobs/delivery-targets.ts";
import { defaultWebhooks, type EngineOptions, withDefaults } from "./options.ts";
import type { HttpClient } from "./ports/http-client.ts";
import type { Logger } from "./ports/logger.ts";
import type { Outbox } from "./ports/outbox.ts";
import type { Telemetry } from "./ports/telemetry.ts";

interface AssembledDelivery {
  /** The receivers for which this engine's jobs write outbox items. */
  readonly sinks: Sinks;
  /** Call it when there are new items in the outbox. */
  readonly wakeOutbox: () => void;
  /** What is in an engine's own memory is delivered before: nobody could deliver it later. */
  stop(): Promise<void>;
}

interface DeliveryContext {
  readonly outbox: Outbox;
  /** The name of this engine's worker. */
  readonly worker: string;
  readonly clock: () => number;
  readonly client: HttpClient;
  readonly userAgent: string;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
}

export function assembleDelivery(
  options: EngineOptions,
  { outbox, worker, clock, client, userAgent, logger, telemetry }: DeliveryContext,
): AssembledDelivery {
  const eventSinks = [options.events ?? []].flat();
  const webhooks = withDefaults(defaultWebhooks, options.webhooks);
  const targets = new Map<string, DeliveryTarget>([
    ["webhook", webhookSender({ ...webhooks, secret: options.webhooks?.secret, client, userAgent })],
    ["billing", billingTarget(options.billing)],
    ...eventSinks.map((sink, index) => [`events.${index}`, sinkTarget(sink)] as const),
  ]);
  // An engine's own memory storage is used by nobody else.
  const isShared = options.storage !== undefined;
  const delivery = createDelivery({
    outbox,
    worker,
    clock,
    targetOf: (name) => targets.get(name) ?? absentSink,
    // Without timers, the storage can be collected together with an engine that was dropped without being closed.
    isShared,
    longestDeliveryMs: Math.max(...[...targets.values()].map(({ timeoutMs }) => timeoutMs)),
    logger,
    telemetry,
  });
  return {
    sinks: {
      events: eventSinks.length,
      billing: options.billing !== undefined,
      releases: options.billing?.release !== undefined,
    },
    // Engines that only accept jobs leave deliveries to those that work.
    wakeOutbox: options.work === false ? () => {} : delivery.wake,
    async stop() {
      if (!isShared && options.work !== false) await delivery.finish();
      await delivery.stop();
    },
  };
}
