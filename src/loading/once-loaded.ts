/** One load, shared by all who ask; one that failed is forgotten, so that the next who asks tries again. */
export function onceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return async () => {
    try {
      return await (loading ??= load())
    } catch (error) {
      loading = undefined
      throw error
    }
  }
}
