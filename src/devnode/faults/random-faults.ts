import { invalidArgument } from '../../errors/chain-error.js'
import { createRandom, type Random } from '../random.js'
import type { FaultSettings } from './fault.js'
import type { FaultName } from './kinds.js'

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
  /** Plays no more; what is active ends by its own time. Safe to call twice. */
  stop(): void
}

/**
 * The endless schedule of a seed: the same steps for the same `seed` and `rate` (faults a second, on average), on any machine.
 * It holds what passes and what a client is to survive; a node of another network, or without its index, is left out.
 */
export function* faultSchedule(seed: number, rate: number): Generator<FaultStep, never> {
  if (!(rate > 0))
    throw invalidArgument('rate', 'The rate of faults must be above 0', 'It counts faults a second, 5 for example.')
  const random = createRandom(seed)
  for (;;) {
    const after = (-Math.log(1 - random()) / rate) * 1_000
    const choice = MENU[Math.floor(random() * MENU.length)] ?? MENU[0]
    yield { after, name: choice[0], settings: choice[1](random) }
  }
}

/** Plays a schedule by the clock. */
export function playRandomFaults(seed: number, rate: number, begin: (step: FaultStep) => void): RandomFaults {
  const played: FaultStep[] = []
  const schedule = faultSchedule(seed, rate)
  let timer: NodeJS.Timeout
  const playNext = () => {
    const step = schedule.next().value
    timer = setTimeout(() => {
      played.push(step)
      begin(step)
      playNext()
    }, step.after)
  }
  playNext()
  return { seed, played, stop: () => clearTimeout(timer) }
}

type Dish = readonly [FaultName, (random: Random) => FaultSettings]

const whole = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

const oneOf = <T>(random: Random, items: readonly [T, ...T[]]): T =>
  items[Math.floor(random() * items.length)] ?? items[0]

/** A one-time fault that finds nothing to strike is not kept for longer than this. */
const WAIT = 1_000

/** What may be played, each with the range of its settings. Drops stand twice: they are what happens most. */
const MENU: readonly [Dish, ...Dish[]] = [
  ['drop', (random) => ({ how: oneOf(random, ['cut', 'reset', 'close']) })],
  ['drop', (random) => ({ how: oneOf(random, ['cut', 'reset', 'close']) })],
  ['refuse', (random) => ({ how: oneOf(random, ['reset', 'status', 'close']), for: whole(random, 10, 150) })],
  ['freeze', (random) => ({ for: whole(random, 10, 200) })],
  ['delay', (random) => ({ ms: whole(random, 1, 20), jitter: whole(random, 0, 20), for: whole(random, 50, 300) })],
  ['drip', (random) => ({ bytesPerSecond: whole(random, 20_000, 200_000), above: 1_000, for: whole(random, 50, 300) })],
  ['loseReply', () => ({ for: WAIT })],
  ['overtake', (random) => ({ ms: whole(random, 5, 50), for: WAIT })],
  ['failCall', (random) => ({ nth: whole(random, 1, 5), for: WAIT })],
  ['malform', (random) => ({ how: oneOf(random, ['cut', 'garbage']), for: WAIT })],
  ['breakSubscribing', (random) => ({ after: whole(random, 0, 3), for: WAIT })],
  ['duplicate', (random) => ({ for: whole(random, 50, 300) })],
  ['reorder', (random) => ({ for: whole(random, 50, 300) })],
  ['stuck', (random) => ({ for: whole(random, 50, 300) })],
  ['notSynced', (random) => ({ for: whole(random, 50, 300) })],
]
