import type { SchedulerLike } from 'rxjs'
import type { Platform } from '../platform/port.js'

/** The platform functions of a client; defaults to those of the JavaScript runtime. */
export interface RestPlatform extends Partial<Pick<Platform, 'fetch' | 'random'>> {
  /** For deadlines. */
  readonly scheduler?: SchedulerLike
}
