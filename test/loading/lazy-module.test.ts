import { firstValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { lazyModule } from '../../src/loading/lazy-methods.js'

describe('lazyModule', () => {
  it('loads with the first subscription, once', async () => {
    let loads = 0
    const lazy = lazyModule(() => Promise.resolve({ load: ++loads }))
    expect(loads).toBe(0)
    expect(await Promise.all([firstValueFrom(lazy.module$), firstValueFrom(lazy.module$), lazy.load()])).toEqual([
      { load: 1 },
      { load: 1 },
      { load: 1 },
    ])
  })

  it('emits synchronously once loaded', async () => {
    const lazy = lazyModule(() => Promise.resolve('module'))
    await lazy.load()
    const emitted: string[] = []
    lazy.module$.subscribe((module) => emitted.push(module))
    expect(emitted).toEqual(['module'])
  })

  it('loads again after a failure', async () => {
    const results = [Promise.reject(new Error('offline')), Promise.resolve('module')]
    const lazy = lazyModule(() => results.shift() ?? Promise.reject(new Error('loaded too often')))
    await expect(firstValueFrom(lazy.module$)).rejects.toThrow('offline')
    expect(await firstValueFrom(lazy.module$)).toBe('module')
  })
})
