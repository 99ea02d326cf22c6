import { VirtualTimeScheduler } from 'rxjs'

/** Virtual time that promises keep up with: it advances timer by timer, with turns of the event loop in between. */
export class SteppedClock extends VirtualTimeScheduler {
  /** Runs all timers of the next `ms`, and all promises that they settle. */
  async advance(ms: number): Promise<void> {
    const end = this.frame + ms
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const next = this.actions[0]
      if (next === undefined || next.delay > end) break
      this.maxFrames = next.delay
      this.flush()
    }
    this.frame = end
  }
}
