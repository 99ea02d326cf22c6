import { invalidArgument } from '../../errors/chain-error.js'
import { createRandom } from '../random.js'
import type { ActiveFault } from './active-fault.js'
import type { FaultSettings } from './fault.js'
import type { FaultName } from './kinds.js'
import { MENU, USUAL } from './menu.js'

/** One misfortune of a schedule. */
export interface FaultStep {
  /** Milliseconds since the one before. */
  readonly after: number
  readonly name: FaultName
  readonly settings: FaultSettings
}

/** A schedule that is being played. */
export interface RandomFaults {
  readonly seed: number
  /** What has been played so far. */
  readonly played: readonly FaultStep[]
  /** How many of those have struck at least once: some find nothing to spoil in their time. */
  readonly struck: number
  /** Plays no more; what is active ends by its own time. Safe to call twice. */
  stop(): void
}

/**
 * The endless schedule of a seed: the same steps for the same `seed`, `rate` (faults a second, on average) and `kinds`, on any
 * machine. Of the usual kinds, each passes and any client is to survive it; another network, a missing index, notifications
 * of an old node and REST are played where they are named. A kind that is named twice comes twice as often.
 * Throws `ChainError` (`invalid-argument`) for a rate of 0 or less, and without any kind.
 */
export function* faultSchedule(
  seed: number,
  rate: number,
  kinds: readonly FaultName[] = USUAL,
): Generator<FaultStep, never> {
  if (!(rate > 0))
    throw invalidArgument('rate', 'The rate of faults must be above 0', 'It counts faults a second, 5 for example.')
  if (kinds.length === 0)
    throw invalidArgument('kinds', 'There are no kinds to play', 'Leave it out for the usual ones.')
  const random = createRandom(seed)
  for (;;) {
    const after = (-Math.log(1 - random()) / rate) * 1_000
    const name = kinds[Math.floor(random() * kinds.length)] ?? 'drop'
    yield { after, name, settings: MENU[name](random) }
  }
}

/** Plays a schedule by the clock. */
export function playRandomFaults(
  seed: number,
  schedule: Iterator<FaultStep, never>,
  begin: (step: FaultStep) => Pick<ActiveFault, 'strikes'>,
): RandomFaults {
  const played: FaultStep[] = []
  const begun: Pick<ActiveFault, 'strikes'>[] = []
  let timer: NodeJS.Timeout
  const playNext = () => {
    const step = schedule.next().value
    timer = setTimeout(() => {
      played.push(step)
      begun.push(begin(step))
      playNext()
    }, step.after)
  }
  playNext()
  return {
    seed,
    played,
    get struck() {
      return begun.filter(({ strikes }) => strikes > 0).length
    },
    stop: () => clearTimeout(timer),
  }
}
