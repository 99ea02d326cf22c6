import { holdLock, type HeldLock } from '../../platform/tabs.js'
import type { PlatformTabs } from '../../platform/port.js'

/** The Web Lock of a tab, held while it makes claims or has some: a tab whose lock is free has ended. */
export class OwnerLock {
  #held: Promise<HeldLock> | undefined
  /** Claims that are being made. */
  #users = 0

  constructor(
    private readonly locks: PlatformTabs['locks'],
    readonly name: string,
    /** Whether the tab has claims. */
    private readonly isNeeded: () => boolean,
  ) {}

  /** Has the lock before the claims are seen. Rejects as `LockManager` does, and as `work` does. */
  async whileHeld<T>(work: () => Promise<T>): Promise<T> {
    this.#users++
    try {
      await this.#hold()
      return await work()
    } finally {
      this.#users--
      this.releaseUnused()
    }
  }

  releaseUnused(): void {
    if (this.#users === 0 && !this.isNeeded()) this.release()
  }

  release(): void {
    const held = this.#held
    this.#held = undefined
    void held?.then(
      ({ release }) => release(),
      () => undefined, // the claim that has requested it has the error
    )
  }

  async #hold(): Promise<void> {
    const held = (this.#held ??= holdLock(this.locks, this.name))
    try {
      await held
    } catch (error) {
      if (this.#held === held) this.#held = undefined
      throw error
    }
  }
}
