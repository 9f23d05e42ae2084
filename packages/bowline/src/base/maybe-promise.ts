/** A value, now or later. */
export type MaybePromise<T> = T | PromiseLike<T>;
