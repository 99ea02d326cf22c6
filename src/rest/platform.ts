import type { SchedulerLike } from 'rxjs'
import type { Platform } from '../platform/port.js'

/** What a client takes from its surroundings; the JavaScript runtime's own where something is left out. */
export interface RestPlatform extends Partial<Pick<Platform, 'fetch' | 'random'>> {
  /** For deadlines. */
  readonly scheduler?: SchedulerLike
}
