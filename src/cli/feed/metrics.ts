import { FEED_CAUSES } from '../../feed/health/causes.js'
import type { FeedRole } from '../../feed/health/reduce-health.js'
import { feedToPrometheus, toFamily } from '../../feed/to-prometheus.js'
import type { FeedReport } from './feed-report.js'

const ROLES: readonly FeedRole[] = ['active', 'standby', 'none']

/** Status and health in the text format of Prometheus (version 0.0.4). What is unknown is left out. */
export function toFeedMetrics({ status, health }: FeedReport): string {
  const gauge = (name: string, help: string, samples: Readonly<Record<string, number>>): readonly string[] =>
    toFamily(`vue_chain_feed_${name}`, 'gauge', help, samples)
  const roles = ROLES.map((role) => [`{role="${role}"}`, Number(health.role === role)] as const)
  const causes = FEED_CAUSES.map((cause) => [`{cause="${cause}"}`, Number(health.causes.includes(cause))] as const)
  const isDelivering = health.isReady && health.role === 'active'
  const lines = [
    ...gauge('ready', 'Whether the feed delivers or stands by, as /readyz.', { '': Number(health.isReady) }),
    ...gauge('delivering', 'Whether it is the instance that delivers, and does.', { '': Number(isDelivering) }),
    ...gauge('role', 'Whether it is the instance that delivers.', Object.fromEntries(roles)),
    ...gauge('cause', 'Why nothing is delivered.', Object.fromEntries(causes)),
  ]
  return `${lines.join('\n')}\n${feedToPrometheus(status)}`
}
