import { FEED_CAUSES } from '../../feed/health/causes.js'
import type { FeedRole } from '../../feed/health/reduce-health.js'
import { feedToPrometheus } from '../../feed/to-prometheus.js'
import { flags, toFamily, type Sample } from '../../model/prometheus.js'
import type { FeedReport } from './feed-report.js'

const ROLES: readonly FeedRole[] = ['active', 'standby', 'none']

/** Status and health in the text format of Prometheus (version 0.0.4). What is unknown is left out. */
export function toFeedMetrics({ status, health }: FeedReport): string {
  const gauge = (name: string, help: string, samples: readonly Sample[]): string =>
    toFamily(`vue_chain_feed_${name}`, 'gauge', help, samples)
  const isDelivering = health.isReady && health.role === 'active'
  const roles = flags('role', ROLES, (role) => health.role === role)
  const causes = flags('cause', FEED_CAUSES, (cause) => health.causes.includes(cause))
  const families = [
    gauge('ready', 'Whether the feed delivers or stands by, as /readyz.', [['', Number(health.isReady)]]),
    gauge('delivering', 'Whether it is the instance that delivers, and does.', [['', Number(isDelivering)]]),
    gauge('role', 'Whether it is the instance that delivers.', roles),
    gauge('cause', 'Why nothing is delivered.', causes),
  ]
  return `${families.join('\n')}\n${feedToPrometheus(status)}`
}
