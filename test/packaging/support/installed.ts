import { inject } from 'vitest'

/** The folder of an installed fixture; undefined where its packages could not be downloaded. */
export const installedIn = (app: string): string | undefined => inject('installed')[app]
