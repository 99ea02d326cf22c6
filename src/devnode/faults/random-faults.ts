import { invalidArgument } from '../../errors/chain-error.js'
import { createRandom } from '../random.js'
import type { Timers } from '../timers.js'
import type { ActiveFault } from './active-fault.js'
import type { FaultSettings } from './fault.js'
import type { FaultName } from './kinds.js'
import { RANDOM_SETTINGS, DEFAULT_KINDS } from './random-settings.js'

/** One fault of a schedule. */
export interface FaultStep {
  /** Milliseconds since the previous step. */
  readonly after: number
  readonly name: FaultName
  readonly settings: FaultSettings
}

/** A schedule in progress. */
export interface RandomFaults {
  readonly seed: number
  /** The steps begun so far. */
  readonly played: readonly FaultStep[]
  /** How many of those have taken effect at least once. */
  readonly triggered: number
  /** Begins no further steps; active faults end by their own time. Safe to call twice. */
  stop(): void
}

/**
 * The endless schedule of a seed: the same steps for the same `seed`, `rate` (faults a second, on average) and `kinds`,
 * on any machine. The default kinds are temporary and every client should survive them; `wrongNetwork`, `noUtxoIndex`,
 * `borshNotifications` and `failRest` must be named. A kind that is listed twice is twice as frequent. Throws
 * `ChainError` (`invalid-argument`) for a rate of 0 or less and for empty `kinds`.
 */
export function* faultSchedule(
  seed: number,
  rate: number,
  kinds: readonly FaultName[] = DEFAULT_KINDS,
): Generator<FaultStep, never> {
  if (!(rate > 0))
    throw invalidArgument('rate', 'The rate of faults must be above 0', 'Pass faults per second, for example 5.')
  if (kinds.length === 0)
    throw invalidArgument('kinds', 'There are no kinds to play', 'Omit `kinds` for the default kinds.')
  const random = createRandom(seed)
  for (;;) {
    const after = (-Math.log(1 - random()) / rate) * 1_000
    const name = kinds[Math.floor(random() * kinds.length)] ?? 'drop'
    yield { after, name, settings: RANDOM_SETTINGS[name](random) }
  }
}

/** Plays a schedule. */
export function playRandomFaults(
  seed: number,
  schedule: Iterator<FaultStep, never>,
  begin: (step: FaultStep) => Pick<ActiveFault, 'triggered'>,
  timers: Timers,
): RandomFaults {
  const played: FaultStep[] = []
  const begun: Pick<ActiveFault, 'triggered'>[] = []
  let cancel: () => void
  const playNext = () => {
    const step = schedule.next().value
    cancel = timers.after(step.after, () => {
      played.push(step)
      begun.push(begin(step))
      playNext()
    })
  }
  playNext()
  return {
    seed,
    played,
    get triggered() {
      return begun.filter(({ triggered }) => triggered > 0).length
    },
    stop: () => cancel(),
  }
}
