import { ensurePeers, peerNode } from "../../tools/peers.mjs";
import { FEATURES, NOTES } from "./features.ts";
import { HARBOUR_FEATURES } from "./harbour-features.ts";
import { inspector } from "./inspector.ts";
import { printSum, printTable, tryAll, unavailable, type Row } from "./matrix.ts";
import { notesFolder, startHttp, stdioTarget } from "./notes-server.ts";
import { publishedClient } from "./published-client.ts";
import { openHarbour, PUBLISHED_SERVERS } from "./published-servers.ts";

const NODE_FOR_INSPECTOR = [22, 19] as const;

async function main(): Promise<number> {
  ensurePeers();
  const clients = await tryClients();
  printTable("published clients with the notes server", clients);
  const servers = await tryServers();
  printTable("published servers with the client", servers);
  return printSum([...clients, ...servers]);
}

async function tryClients(): Promise<readonly Row[]> {
  const folder = notesFolder(NOTES);
  const http = await startHttp(folder.path);
  const rows: Row[] = [];
  try {
    for (const peer of [publishedClient, inspector(inspectorNode())]) {
      for (const target of [http.target, stdioTarget(folder.path)]) {
        const cells =
          peer.unavailable === undefined
            ? // oxlint-disable-next-line no-await-in-loop -- peers take turns at one server
              await tryAll(FEATURES, () => peer.open(target))
            : unavailable(FEATURES, peer.unavailable);
        rows.push({ peer: peer.name, transport: target.transport, cells });
      }
    }
  } finally {
    await http.stop();
    folder.remove();
  }
  return rows;
}

async function tryServers(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const peer of PUBLISHED_SERVERS) {
    for (const transport of ["http", "stdio"] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one server at a time
      const cells = await tryAll(HARBOUR_FEATURES, () => openHarbour(peer, transport));
      rows.push({ peer: peer.name, transport, cells });
    }
  }
  return rows;
}

function inspectorNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [needMajor, needMinor] = NODE_FOR_INSPECTOR;
  const suffices = major > needMajor || (major === needMajor && minor >= needMinor);
  return suffices ? process.execPath : peerNode();
}

process.exitCode = await main();
