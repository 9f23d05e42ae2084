import { describe, expect, test } from "vitest";
import { createRecorder, withPair, type OpenPair } from "./pair.ts";

export function describePubSub(open: OpenPair): void {
  describe("pubsub", () => {
    describeMessages(open);
    describeListeners(open);
    describeSubscriptions(open);
  });
}

function describeMessages(open: OpenPair): void {
  test(
    "brings a message to every subscriber of its topic, the publisher's own included",
    withPair(open)(async ({ one, other }) => {
      const [own, remote, elsewhere] = [createRecorder(), createRecorder(), createRecorder()];
      await one.pubsub.subscribe("t", own);
      await other.pubsub.subscribe("t", remote);
      await other.pubsub.subscribe("T", elsewhere);
      const message = { uri: "note://é", list: [1, null] };
      await one.pubsub.publish("t", message);
      await one.pubsub.publish("T", "end");
      await Promise.all([own.until(message), remote.until(message), elsewhere.until("end")]);
      expect([own.heard, remote.heard, elsewhere.heard]).toEqual([[message], [message], ["end"]]);
    }),
  );

  test(
    "keeps the order in which one engine published",
    withPair(open)(async ({ one, other }) => {
      const recorder = createRecorder();
      await other.pubsub.subscribe("t", recorder);
      const messages = Array.from({ length: 50 }, (_, index) => index);
      await Promise.all(messages.map((message) => one.pubsub.publish("t", message)));
      await recorder.until(49);
      expect(recorder.heard).toEqual(messages);
    }),
  );

  test(
    "publishes where nobody listens, and keeps nothing for those who come later",
    withPair(open)(async ({ one, other }) => {
      await one.pubsub.publish("t", "early");
      const recorder = createRecorder();
      await other.pubsub.subscribe("t", recorder);
      await one.pubsub.publish("t", "late");
      await recorder.until("late");
      expect(recorder.heard).toEqual(["late"]);
    }),
  );

  test(
    "calls no listener within the call that publishes",
    withPair(open)(async ({ one }) => {
      const recorder = createRecorder();
      await one.pubsub.subscribe("t", recorder);
      const published = one.pubsub.publish("t", 1);
      expect(recorder.heard).toEqual([]);
      await Promise.all([published, recorder.until(1)]);
    }),
  );
}

function describeListeners(open: OpenPair): void {
  test(
    "gives each listener a copy of its own",
    withPair(open)(async ({ one }) => {
      const message = { list: [1] };
      const recorder = createRecorder();
      await one.pubsub.subscribe("t", {
        onMessage: (heard) => void Object.assign(Object(heard), { list: "changed" }),
      });
      await one.pubsub.subscribe("t", recorder);
      const published = one.pubsub.publish("t", message);
      message.list.push(2);
      await Promise.all([published, recorder.until({ list: [1] })]);
      expect(recorder.heard).toEqual([{ list: [1] }]);
    }),
  );
}

function describeSubscriptions(open: OpenPair): void {
  test(
    "tells a listener nothing more from the moment its subscription is closed",
    withPair(open)(async ({ one, other }) => {
      const [closed, live] = [createRecorder(), createRecorder()];
      const subscription = await one.pubsub.subscribe("t", closed);
      await one.pubsub.subscribe("t", live);
      await other.pubsub.publish("t", 1);
      await Promise.all([closed.until(1), live.until(1)]);
      const published = other.pubsub.publish("t", 2);
      await Promise.all([subscription.close(), published]);
      await subscription.close();
      await live.until(2);
      expect([closed.heard, live.heard]).toEqual([[1], [1, 2]]);
    }),
  );

  test(
    "ends a subscription at the end of its block",
    withPair(open)(async ({ one }) => {
      const [scoped, live] = [createRecorder(), createRecorder()];
      await one.pubsub.subscribe("t", live);
      {
        await using subscription = await one.pubsub.subscribe("t", scoped);
        expect(subscription).toBeDefined();
      }
      await one.pubsub.publish("t", 1);
      await live.until(1);
      expect(scoped.heard).toEqual([]);
    }),
  );

  test(
    "lets a listener publish and subscribe",
    withPair(open)(async ({ one, other }) => {
      const replies = createRecorder();
      await other.pubsub.subscribe("replies", replies);
      await one.pubsub.subscribe("t", {
        onMessage: (message) => one.pubsub.publish("replies", message),
      });
      await other.pubsub.publish("t", 1);
      await replies.until(1);
      expect(replies.heard).toEqual([1]);
    }),
  );
}
