import { expect, test } from "vitest";
import { figure, median, pairedRatio, quantile, times } from "./statistics.ts";

test("the median of an even number of values is the mean of the middle two", () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, Number.NaN]);
});

test("a ratio is the median of the ratios inside each round", () => {
  expect(pairedRatio([2, 20, 9], [1, 10, 3])).toBe(2);
});

test("a quantile of sorted values never runs over their end", () => {
  expect([quantile([1, 2, 3, 4], 0.5), quantile([1, 2], 1), quantile([], 0.5)]).toEqual([
    3,
    2,
    Number.NaN,
  ]);
});

test("figures keep the digits that carry meaning", () => {
  expect([12_345.6, 123.4, 12.34, 1.234, 0.01234, Number.NaN].map(figure)).toEqual([
    "12,346",
    "123",
    "12.3",
    "1.23",
    "0.012",
    "–",
  ]);
  expect(times(1.2)).toBe("1.20×");
});
