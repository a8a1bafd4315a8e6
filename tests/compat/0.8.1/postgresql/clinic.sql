SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA renyi_ledger;
CREATE SCHEMA witness;
CREATE FUNCTION renyi_ledger.continue_log() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  wrong bigint;
BEGIN
  SELECT a.entry INTO wrong FROM added a LEFT JOIN "renyi_ledger".entries p ON p.entry = a.entry - 1
    WHERE NOT pg_catalog.starts_with(a.text, CASE a.entry WHEN 0 THEN '{"entry":0,'
      ELSE '{"entry":' || a.entry || ',"previous":"' || coalesce(p.hash, '?') || '",' END) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'entry % does not continue the log', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION renyi_ledger.refuse_rewriting() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF coalesce(pg_catalog.current_setting('renyi.migration', true), '') = TG_TABLE_SCHEMA
     AND pg_catalog.pg_has_role((SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'what a ledger has recorded is not changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE renyi_ledger.cells (
    scope text NOT NULL COLLATE pg_catalog."C",
    cell text NOT NULL COLLATE pg_catalog."C",
    sums bytea NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE renyi_ledger.entries (
    entry bigint NOT NULL,
    hash text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    person text NOT NULL COLLATE pg_catalog."C",
    "time" text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT entries_entry_check CHECK ((entry >= 0))
);
CREATE TABLE renyi_ledger.facts (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE renyi_ledger.outputs (
    ticket bigint NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE renyi_ledger.schema_version (
    version bigint NOT NULL,
    applied timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE renyi_ledger.scopes (
    name text NOT NULL COLLATE pg_catalog."C",
    entry bigint NOT NULL,
    text text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE renyi_ledger.steps (
    scope text NOT NULL COLLATE pg_catalog."C",
    cell text NOT NULL COLLATE pg_catalog."C",
    step text NOT NULL COLLATE pg_catalog."C",
    count bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE renyi_ledger.tickets (
    ticket bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    entry bigint NOT NULL,
    scope text NOT NULL COLLATE pg_catalog."C",
    expires text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT tickets_state_check CHECK ((state = ANY (ARRAY['reserved'::text, 'opened'::text, 'committed'::text, 'cancelled'::text, 'expired'::text])))
);
CREATE TABLE witness.witnessed (
    ledger text NOT NULL,
    entry bigint NOT NULL,
    hash text NOT NULL
);
INSERT INTO renyi_ledger.cells VALUES ('clinic/gdp', '|', '\x01000000000000000100000000000000010000000000903f020000000080943c010000000000903f020000000080943c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('pure', '|', '\x01000000000000000100000000000000000000000000d83f000000000000a83c000000000000d83f000000000000a83c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('tcdp', '|', '\x010000000000000001000000000000008014ae47e17a843f2385eb51b81e7b3c8014ae47e17a843f2385eb51b81e7b3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('approx', '|', '\x01000000000000000300000000000000000000000000c83f010000000000a23c000000000000c83f010000000000a23c2c69a4292b1b603e2c69a4292b1b303b');
INSERT INTO renyi_ledger.cells VALUES ('training', '|', '\x01000000000000006400000000000000c147f5e38e3c803f8480317ccbfead3cc892e3dc09ad7f3f6cc8a8cc2aa9b23c208ef51d5391833fb4bf5c114513b23c2ce2621ffbed823f42c4fbf86a4db63cf20d291ea1518a3f242874795750b83ced30603c790a893f46a30474de7fbd3c1cda1015c398903f34aa336c1baebe3c94e14d01290f8f3fe0bcecabe34ac23c07c03e9f4e19943fbc08cc4f6e96c23cef521f40747e923f076669db0ec8c53c074f6d4fdc4f9b3f2fedf1869e5fc93c4546770a644b983f2a066c8bd19acc3c2fbf2cbc846aa13fe381b4c77e47d03cf38db2e0ffee9d3fce925416c19dd13c12fbe5a5165aa53fdf479a77bc31d43cd88087b0f2b5a13f7248265d85d6d43c8fb5ecd586e7ad3f40e5fda5deb7de3c338862b253fda63f0d3d4bf86206db3c6f3c320e92acb43f4568871bd627e63c7dbf9a49d903ac3fc6fed969f772e03cc1ae288fe08d10408335aacfdd333a3d988d70b50e68b03ff6062c50423ee33ceffc779889b3544051f543d4658e563deb0c40eed3b3b23f317c29e328e8e53c0d152d0e723f6540e96c749813055f3de2a23db095e7b43fa911f1eb4c73e83c63822cf4165b7540210de6571341673dfb554208de0eb93f3418f9471836ed3cca86873623f37f40886c17767800703df2339eed22ebbc3fb9b65d13d0caf03c0a06bfdb9c3b854084b3e35bdf4d743dfef5b7555443c03f980c0990d3cef23c7062517c88778a406d43d647aca9783deda1a774cdf4c13fb5226fafd4abf43c341e5c08457292405eb181025fbd803dfc1af84f930fc53f723037afd1fff73c4052a18f9fa4974030f73cd5a82f853d41c0f1703ddac73fde0fc0d550dffa3c3fb23d429a01a14080211875a2228e3d55cfa334a9b5cc3f41c103b45f85ff3cec1099f11cd9b240090888495f8aa03dc0fb1ec0ea2fd53fcccc7a9e3ec7053d19a6353f18c2c3407735e8556b4db13d7d411fa61fe0dc3fc3efb8c515c9063d24b9ffd1e635d440c2f210e68cb0c13df8b91835f74ce23fe95938125da8003d9ba10fa3a26fe440e90f6adc83e2d13d412ad5a9d3d0e53fc8ccb802d069f63c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('order', '|', '\x010000000000000064000000000000008fb5ecd586e7ad3f40e5fda5deb7de3c338862b253fda63f0d3d4bf86206db3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('shares', '|', '\x01000000000000006400000000000000074f6d4fdc4f9b3f2fedf1869e5fc93c4546770a644b983f2a066c8bd19acc3c8fb5ecd586e7ad3f40e5fda5deb7de3c338862b253fda63f0d3d4bf86206db3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('analysts', 'ana|', '\x01000000000000000100000000000000000000000000a03f0000000000008c3c000000000000a03f0000000000008c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('analysts/ana', '|', '\x01000000000000000100000000000000000000000000a03f0000000000008c3c000000000000a03f0000000000008c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('analysts', 'bob|', '\x01000000000000000100000000000000000000000000803f0000000000006c3c000000000000803f0000000000006c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('analysts/bob', '|', '\x01000000000000000100000000000000000000000000803f0000000000006c3c000000000000803f0000000000006c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('visits', '|2026-10', '\x01000000000000000100000000000000000000000000b03f0000000000009c3c000000000000b03f0000000000009c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('visits', '|*', '\x01000000000000000100000000000000000000000000903f0000000000007c3c000000000000903f0000000000007c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('clinic', '|', '\x04000000000000000500000000000000000000000000c13f0000000000e0b23c000000000000c13f0000000000e0b23c00000000000000000000000000000000');
INSERT INTO renyi_ledger.cells VALUES ('reserved', '|', '\x01000000000000000100000000000000000000000000a03f0000000000008c3c000000000000a03f0000000000008c3c00000000000000000000000000000000');
INSERT INTO renyi_ledger.entries VALUES (0, '3b972366258e15915f1aeb53a0a3121a36a2f9aaef32398e81f1d08f50e54328', '{"entry":0,"previous":"","time":"2026-11-18T20:44:15.788Z","request":{"verb":"init","key":"auto-18e93e8249c94619-3b73-42-64f3d61782f98c4e","renyi-ledger":1,"ledger":"40eee2c41442386800b8b20ac2890252","has_witness":true},"outcome":{"accepted":true}}', 'auto-18e93e8249c94619-3b73-42-64f3d61782f98c4e', '', '', '2026-11-18T20:44:15.788Z');
INSERT INTO renyi_ledger.entries VALUES (1, 'b37ac6f22719f8d1b0e8873d3ed1ad8acc504dd3f8364f2b4096a7c589b91f2c', '{"entry":1,"previous":"3b972366258e15915f1aeb53a0a3121a36a2f9aaef32398e81f1d08f50e54328","time":"2026-11-18T20:44:15.798Z","request":{"verb":"scope","key":"auto-18e93e824a23ab96-3b73-43-64f3d61782f98c4e","person":"ana","comment":"für Köln","scope":"clinic","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.5},"cap":{"kind":"zcdp","rho":1}},"outcome":{"accepted":true}}', 'auto-18e93e824a23ab96-3b73-43-64f3d61782f98c4e', 'clinic', 'ana', '2026-11-18T20:44:15.798Z');
INSERT INTO renyi_ledger.entries VALUES (2, 'db9193491cd2072ec1ebd4da5f0db8392963d6cef740c968c2a848abf77113aa', '{"entry":2,"previous":"b37ac6f22719f8d1b0e8873d3ed1ad8acc504dd3f8364f2b4096a7c589b91f2c","time":"2026-11-18T20:44:15.800Z","request":{"verb":"scope","key":"auto-18e93e824a76dbf0-3b73-44-64f3d61782f98c4e","scope":"clinic/gdp","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"gdp","mu":0.5},"may_cancel":false},"outcome":{"accepted":true}}', 'auto-18e93e824a76dbf0-3b73-44-64f3d61782f98c4e', 'clinic/gdp', '', '2026-11-18T20:44:15.800Z');
INSERT INTO renyi_ledger.entries VALUES (3, 'da4718759aaf6581ff7b63f99380a1c847ff5b2ea85427aab52331a8c5b63906', '{"entry":3,"previous":"db9193491cd2072ec1ebd4da5f0db8392963d6cef740c968c2a848abf77113aa","time":"2026-11-18T20:44:15.800Z","request":{"verb":"scope","key":"auto-18e93e824a85db24-3b73-45-64f3d61782f98c4e","scope":"pure","neighbors":"replace-one","unit":3,"budget":{"kind":"pure","epsilon":2}},"outcome":{"accepted":true}}', 'auto-18e93e824a85db24-3b73-45-64f3d61782f98c4e', 'pure', '', '2026-11-18T20:44:15.800Z');
INSERT INTO renyi_ledger.entries VALUES (4, '626cc3d5b762a16cc1015dff2971fb3ae91ae6dc7b7a920a568fc8e831d3a823', '{"entry":4,"previous":"da4718759aaf6581ff7b63f99380a1c847ff5b2ea85427aab52331a8c5b63906","time":"2026-11-18T20:44:15.801Z","request":{"verb":"scope","key":"auto-18e93e824a9051e8-3b73-46-64f3d61782f98c4e","scope":"tcdp","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"tcdp","rho":0.5,"omega":10}},"outcome":{"accepted":true}}', 'auto-18e93e824a9051e8-3b73-46-64f3d61782f98c4e', 'tcdp', '', '2026-11-18T20:44:15.801Z');
INSERT INTO renyi_ledger.entries VALUES (5, 'fc4e6c9013b04d4736178d174482741fe16421b172de2c28ff15dfd3ee809911', '{"entry":5,"previous":"626cc3d5b762a16cc1015dff2971fb3ae91ae6dc7b7a920a568fc8e831d3a823","time":"2026-11-18T20:44:15.802Z","request":{"verb":"scope","key":"auto-18e93e824a98e175-3b73-47-64f3d61782f98c4e","scope":"approx","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"approx","epsilon":3,"delta":1e-06,"infinite_mass":1e-06}},"outcome":{"accepted":true}}', 'auto-18e93e824a98e175-3b73-47-64f3d61782f98c4e', 'approx', '', '2026-11-18T20:44:15.802Z');
INSERT INTO renyi_ledger.entries VALUES (6, '8a3fd4b54bcb3a95f9a0f951d181c49e055593aa04b2bdea7c682059f6e32ba2', '{"entry":6,"previous":"fc4e6c9013b04d4736178d174482741fe16421b172de2c28ff15dfd3ee809911","time":"2026-11-18T20:44:15.803Z","request":{"verb":"scope","key":"auto-18e93e824aa65a5a-3b73-48-64f3d61782f98c4e","scope":"training","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"curve","limits":[{"order":1.25,"epsilon":0.01982001383719076},{"order":1.5,"epsilon":0.023886321429711595},{"order":2,"epsilon":0.03212752040132343},{"order":2.5,"epsilon":0.04051935234254254},{"order":3,"epsilon":0.049069472478799246},{"order":4,"epsilon":0.06667957865683383},{"order":5,"epsilon":0.08503949158332899},{"order":6,"epsilon":0.10425736368014772},{"order":8,"epsilon":0.14601758388021313},{"order":10,"epsilon":0.20189554325572223},{"order":12,"epsilon":10.346379844814559},{"order":14,"epsilon":207.0131829196524},{"order":16,"epsilon":424.9566819387197},{"order":20,"epsilon":854.2327598910895},{"order":24,"epsilon":1277.9902423141896},{"order":28,"epsilon":1698.6289775206699},{"order":32,"epsilon":2117.3541084211024},{"order":40,"epsilon":2951.4185367598143},{"order":48,"epsilon":3782.8895533614977},{"order":64,"epsilon":5442.00321657728},{"order":128,"epsilon":12062.782653741118},{"order":256,"epsilon":25290.473572532483},{"order":512,"epsilon":51739.01641834388},{"order":1024,"epsilon":104632.70601239108}]}},"outcome":{"accepted":true}}', 'auto-18e93e824aa65a5a-3b73-48-64f3d61782f98c4e', 'training', '', '2026-11-18T20:44:15.803Z');
INSERT INTO renyi_ledger.entries VALUES (7, 'aea4d885c2ef695043d8f62c678f4e518efd09a6af088336556eeb49c88ce00f', '{"entry":7,"previous":"8a3fd4b54bcb3a95f9a0f951d181c49e055593aa04b2bdea7c682059f6e32ba2","time":"2026-11-18T20:44:15.803Z","request":{"verb":"scope","key":"auto-18e93e824ab042e9-3b73-49-64f3d61782f98c4e","scope":"order","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"order","order":8,"epsilon":2}},"outcome":{"accepted":true}}', 'auto-18e93e824ab042e9-3b73-49-64f3d61782f98c4e', 'order', '', '2026-11-18T20:44:15.803Z');
INSERT INTO renyi_ledger.entries VALUES (8, 'feff7fab755fd16f86be398047865e6766d5fcce0c257f7bb2434ec6ddf5d4de', '{"entry":8,"previous":"aea4d885c2ef695043d8f62c678f4e518efd09a6af088336556eeb49c88ce00f","time":"2026-11-18T20:44:15.805Z","request":{"verb":"scope","key":"auto-18e93e824ac5d7d6-3b73-4a-64f3d61782f98c4e","scope":"shares","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"shares","epsilon":3,"shares":[{"order":4,"delta":4.999999999999996e-07},{"order":8,"delta":4.999999999999996e-07}]}},"outcome":{"accepted":true}}', 'auto-18e93e824ac5d7d6-3b73-4a-64f3d61782f98c4e', 'shares', '', '2026-11-18T20:44:15.805Z');
INSERT INTO renyi_ledger.entries VALUES (9, '4f3e52e4abc1c345564734ac4a950547c21c0d157c4a3dee371c85764dcea355', '{"entry":9,"previous":"feff7fab755fd16f86be398047865e6766d5fcce0c257f7bb2434ec6ddf5d4de","time":"2026-11-18T20:44:15.805Z","request":{"verb":"scope","key":"auto-18e93e824accc792-3b73-4b-64f3d61782f98c4e","scope":"analysts","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.25},"analysts_may_collude":false},"outcome":{"accepted":true}}', 'auto-18e93e824accc792-3b73-4b-64f3d61782f98c4e', 'analysts', '', '2026-11-18T20:44:15.805Z');
INSERT INTO renyi_ledger.entries VALUES (10, '44eb4b0b95d4786897ba05f5034dea75c05bb5e92f9086ed59d11ff23c7d222f', '{"entry":10,"previous":"4f3e52e4abc1c345564734ac4a950547c21c0d157c4a3dee371c85764dcea355","time":"2026-11-18T20:44:15.810Z","request":{"verb":"scope","key":"auto-18e93e824b14640c-3b73-4c-64f3d61782f98c4e","scope":"analysts/ana","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.25}},"outcome":{"accepted":true}}', 'auto-18e93e824b14640c-3b73-4c-64f3d61782f98c4e', 'analysts/ana', '', '2026-11-18T20:44:15.810Z');
INSERT INTO renyi_ledger.entries VALUES (11, 'f484a2b6f1c69c9a03ffa608b7351e3c544c70a0deb4e69ab880e51c302ca8b2', '{"entry":11,"previous":"44eb4b0b95d4786897ba05f5034dea75c05bb5e92f9086ed59d11ff23c7d222f","time":"2026-11-18T20:44:15.811Z","request":{"verb":"scope","key":"auto-18e93e824b218c96-3b73-4d-64f3d61782f98c4e","scope":"analysts/bob","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.125}},"outcome":{"accepted":true}}', 'auto-18e93e824b218c96-3b73-4d-64f3d61782f98c4e', 'analysts/bob', '', '2026-11-18T20:44:15.811Z');
INSERT INTO renyi_ledger.entries VALUES (12, 'deee6ca83d45a48509434095006d4cfcf10278c691a418e898f6d717d4c9229f', '{"entry":12,"previous":"f484a2b6f1c69c9a03ffa608b7351e3c544c70a0deb4e69ab880e51c302ca8b2","time":"2026-11-18T20:44:15.811Z","request":{"verb":"scope","key":"auto-18e93e824b2cdc97-3b73-4e-64f3d61782f98c4e","scope":"visits","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.1},"block_rule":{"rule":"the month of the visit","unit_in_one_block":true,"block_is_fixed":false}},"outcome":{"accepted":true}}', 'auto-18e93e824b2cdc97-3b73-4e-64f3d61782f98c4e', 'visits', '', '2026-11-18T20:44:15.811Z');
INSERT INTO renyi_ledger.entries VALUES (13, '6f37f4495132cac598aa863dfc52902da0b61452902a7c3f05586c7e1b403092', '{"entry":13,"previous":"deee6ca83d45a48509434095006d4cfcf10278c691a418e898f6d717d4c9229f","time":"2026-11-18T20:44:15.812Z","request":{"verb":"blocks","key":"auto-18e93e824b34019c-3b73-4f-64f3d61782f98c4e","scope":"visits","blocks":["2026-10","2026-11"]},"outcome":{"accepted":true}}', 'auto-18e93e824b34019c-3b73-4f-64f3d61782f98c4e', 'visits', '', '2026-11-18T20:44:15.812Z');
INSERT INTO renyi_ledger.entries VALUES (14, '307cd4ff6cf23036c9c85f0a361cc55c163dc45dc8253eb67e37b043f3b916c9', '{"entry":14,"previous":"6f37f4495132cac598aa863dfc52902da0b61452902a7c3f05586c7e1b403092","time":"2026-11-18T20:44:15.812Z","request":{"verb":"blocks","key":"auto-18e93e824b3d44c3-3b73-50-64f3d61782f98c4e","scope":"visits","blocks":["2026-12"]},"outcome":{"accepted":true}}', 'auto-18e93e824b3d44c3-3b73-50-64f3d61782f98c4e', 'visits', '', '2026-11-18T20:44:15.812Z');
INSERT INTO renyi_ledger.entries VALUES (15, '7cdeaa8e9e5158b0b71017c0ef60a550037ca16cf5a126e407d1852bec64a4ff', '{"entry":15,"previous":"307cd4ff6cf23036c9c85f0a361cc55c163dc45dc8253eb67e37b043f3b916c9","time":"2026-11-18T20:44:15.813Z","request":{"verb":"lower","key":"auto-18e93e824b452052-3b73-51-64f3d61782f98c4e","scope":"clinic","budget":{"kind":"zcdp","rho":0.25}},"outcome":{"accepted":true}}', 'auto-18e93e824b452052-3b73-51-64f3d61782f98c4e', 'clinic', '', '2026-11-18T20:44:15.813Z');
INSERT INTO renyi_ledger.entries VALUES (16, 'a9c66795bc4f041faa379cb83742ee72cbec3043929f3962650bbc5b1ea3c51f', '{"entry":16,"previous":"7cdeaa8e9e5158b0b71017c0ef60a550037ca16cf5a126e407d1852bec64a4ff","time":"2026-11-18T20:44:15.813Z","request":{"verb":"raise","key":"auto-18e93e824b4d0c31-3b73-52-64f3d61782f98c4e","scope":"clinic","budget":{"kind":"zcdp","rho":0.75},"reason":"the board, in November"},"outcome":{"accepted":true}}', 'auto-18e93e824b4d0c31-3b73-52-64f3d61782f98c4e', 'clinic', '', '2026-11-18T20:44:15.813Z');
INSERT INTO renyi_ledger.entries VALUES (17, '6da80fbd5399ee8533368387ebbc7f14d32e1d7e5fe5024bc886876524342b9e', '{"entry":17,"previous":"a9c66795bc4f041faa379cb83742ee72cbec3043929f3962650bbc5b1ea3c51f","time":"2026-11-18T20:44:15.815Z","request":{"verb":"charge","key":"november","person":"ana","comment":"two counts","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"count":2},"outcome":{"accepted":true}}', 'november', 'clinic', 'ana', '2026-11-18T20:44:15.815Z');
INSERT INTO renyi_ledger.entries VALUES (18, '538cf6e661c9d6df3a599aadded02550fd3da7a50d8971ad8a98cf93f6f2401a', '{"entry":18,"previous":"6da80fbd5399ee8533368387ebbc7f14d32e1d7e5fe5024bc886876524342b9e","time":"2026-11-18T20:44:15.819Z","request":{"verb":"charge","key":"auto-18e93e824ba35d8a-3b73-53-64f3d61782f98c4e","person":"bob","scope":"clinic/gdp","steps":[{"mechanism":"gaussian","noise_multiplier":8}]},"outcome":{"accepted":true}}', 'auto-18e93e824ba35d8a-3b73-53-64f3d61782f98c4e', 'clinic/gdp', 'bob', '2026-11-18T20:44:15.819Z');
INSERT INTO renyi_ledger.entries VALUES (19, '601dd2abd7463f55416ef422dfd5e00f1dc8b028f25348dc8b1e66943b1b04e5', '{"entry":19,"previous":"538cf6e661c9d6df3a599aadded02550fd3da7a50d8971ad8a98cf93f6f2401a","time":"2026-11-18T20:44:15.826Z","request":{"verb":"charge","key":"auto-18e93e824c08f39d-3b73-54-64f3d61782f98c4e","scope":"pure","steps":[{"mechanism":"laplace","scale":8}]},"outcome":{"accepted":true}}', 'auto-18e93e824c08f39d-3b73-54-64f3d61782f98c4e', 'pure', '', '2026-11-18T20:44:15.826Z');
INSERT INTO renyi_ledger.entries VALUES (20, '15825f8f563cc393b53ed3f7f12cea54f355abb0ba18a52ca6f0a0ee8f7b8104', '{"entry":20,"previous":"601dd2abd7463f55416ef422dfd5e00f1dc8b028f25348dc8b1e66943b1b04e5","time":"2026-11-18T20:44:15.827Z","request":{"verb":"charge","key":"auto-18e93e824c18046c-3b73-55-64f3d61782f98c4e","scope":"tcdp","steps":[{"mechanism":"tcdp","rho":0.01,"omega":12}]},"outcome":{"accepted":true}}', 'auto-18e93e824c18046c-3b73-55-64f3d61782f98c4e', 'tcdp', '', '2026-11-18T20:44:15.827Z');
INSERT INTO renyi_ledger.entries VALUES (21, '2fe96c2fac5e807de6836640c0758de3d06696659561fbf77e14c547b5b64270', '{"entry":21,"previous":"15825f8f563cc393b53ed3f7f12cea54f355abb0ba18a52ca6f0a0ee8f7b8104","time":"2026-11-18T20:44:15.827Z","request":{"verb":"charge","key":"auto-18e93e824c237585-3b73-56-64f3d61782f98c4e","scope":"approx","steps":[{"mechanism":"approx-dp","epsilon":0.25,"delta":1e-08}],"count":3},"outcome":{"accepted":true}}', 'auto-18e93e824c237585-3b73-56-64f3d61782f98c4e', 'approx', '', '2026-11-18T20:44:15.827Z');
INSERT INTO renyi_ledger.entries VALUES (22, '0ab5420863376445581c44d809266e69eae90e2402216169cbbeeba3cd69ef20', '{"entry":22,"previous":"2fe96c2fac5e807de6836640c0758de3d06696659561fbf77e14c547b5b64270","time":"2026-11-18T20:44:15.828Z","request":{"verb":"charge","key":"auto-18e93e824c2e47c0-3b73-57-64f3d61782f98c4e","scope":"training","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}],"count":100},"outcome":{"accepted":true}}', 'auto-18e93e824c2e47c0-3b73-57-64f3d61782f98c4e', 'training', '', '2026-11-18T20:44:15.828Z');
INSERT INTO renyi_ledger.entries VALUES (23, 'c47fe4023020e6ce86ab8c3993b3fe135a930121b2bd8b3cbd383d1b763b46df', '{"entry":23,"previous":"0ab5420863376445581c44d809266e69eae90e2402216169cbbeeba3cd69ef20","time":"2026-11-18T20:44:15.829Z","request":{"verb":"charge","key":"auto-18e93e824c3a4e4a-3b73-58-64f3d61782f98c4e","scope":"order","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}],"count":100},"outcome":{"accepted":true}}', 'auto-18e93e824c3a4e4a-3b73-58-64f3d61782f98c4e', 'order', '', '2026-11-18T20:44:15.829Z');
INSERT INTO renyi_ledger.entries VALUES (24, 'c59d5efae73ccff8ea1c0ce397867431f6b8a25e963d17e4cb13f4e0a0041009', '{"entry":24,"previous":"c47fe4023020e6ce86ab8c3993b3fe135a930121b2bd8b3cbd383d1b763b46df","time":"2026-11-18T20:44:15.830Z","request":{"verb":"charge","key":"auto-18e93e824c44f4d1-3b73-59-64f3d61782f98c4e","scope":"shares","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}],"count":100},"outcome":{"accepted":true}}', 'auto-18e93e824c44f4d1-3b73-59-64f3d61782f98c4e', 'shares', '', '2026-11-18T20:44:15.830Z');
INSERT INTO renyi_ledger.entries VALUES (25, 'dad3629a8b451a237e98efb4c3edac8dc98545fcb0327a80d874bdf323244513', '{"entry":25,"previous":"c59d5efae73ccff8ea1c0ce397867431f6b8a25e963d17e4cb13f4e0a0041009","time":"2026-11-18T20:44:15.830Z","request":{"verb":"charge","key":"auto-18e93e824c4e8adf-3b73-5a-64f3d61782f98c4e","person":"ana","scope":"analysts/ana","steps":[{"mechanism":"gaussian","noise_multiplier":4}]},"outcome":{"accepted":true,"note":"per analyst; void if answers are shared"}}', 'auto-18e93e824c4e8adf-3b73-5a-64f3d61782f98c4e', 'analysts/ana', 'ana', '2026-11-18T20:44:15.830Z');
INSERT INTO renyi_ledger.entries VALUES (26, '574ab5b5aeb1c8fa91eebbc2a69353ed6aab5962eee67f19479affcf3a86d3d7', '{"entry":26,"previous":"dad3629a8b451a237e98efb4c3edac8dc98545fcb0327a80d874bdf323244513","time":"2026-11-18T20:44:15.831Z","request":{"verb":"charge","key":"auto-18e93e824c58be12-3b73-5b-64f3d61782f98c4e","person":"bob","scope":"analysts/bob","steps":[{"mechanism":"gaussian","noise_multiplier":8}]},"outcome":{"accepted":true,"note":"per analyst; void if answers are shared"}}', 'auto-18e93e824c58be12-3b73-5b-64f3d61782f98c4e', 'analysts/bob', 'bob', '2026-11-18T20:44:15.831Z');
INSERT INTO renyi_ledger.entries VALUES (27, '8ebb9078d2ef47436b576c22e108b7461cca322bf9adb30e741542b48cc3b59b', '{"entry":27,"previous":"574ab5b5aeb1c8fa91eebbc2a69353ed6aab5962eee67f19479affcf3a86d3d7","time":"2026-11-18T20:44:15.834Z","request":{"verb":"charge","key":"auto-18e93e824c7f9fa3-3b73-5c-64f3d61782f98c4e","scope":"visits","steps":[{"mechanism":"zcdp","rho":0.0625}],"blocks":["2026-10"]},"outcome":{"accepted":true}}', 'auto-18e93e824c7f9fa3-3b73-5c-64f3d61782f98c4e', 'visits', '', '2026-11-18T20:44:15.834Z');
INSERT INTO renyi_ledger.entries VALUES (28, '8cf6617dc72c9ddde282c643211855befce47f9232d6ab1ee5b9875138e44ea9', '{"entry":28,"previous":"8ebb9078d2ef47436b576c22e108b7461cca322bf9adb30e741542b48cc3b59b","time":"2026-11-18T20:44:15.834Z","request":{"verb":"charge","key":"auto-18e93e824c8b17f8-3b73-5d-64f3d61782f98c4e","scope":"visits","steps":[{"mechanism":"zcdp","rho":0.015625}]},"outcome":{"accepted":true}}', 'auto-18e93e824c8b17f8-3b73-5d-64f3d61782f98c4e', 'visits', '', '2026-11-18T20:44:15.834Z');
INSERT INTO renyi_ledger.entries VALUES (29, 'b2d3f6def79d65d916a55ad39a2f62343990bb95ffb10fcc1a12b5a53b467b0b', '{"entry":29,"previous":"8cf6617dc72c9ddde282c643211855befce47f9232d6ab1ee5b9875138e44ea9","time":"2026-11-18T20:44:15.838Z","request":{"verb":"charge","key":"too much","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":0.5}]},"outcome":{"accepted":false,"refused_by":"clinic","reason":"rho would be 2.07032, its limit is 0.75, and 0.679687 is left","left":[{"scope":"clinic","balances":[{"name":"rho","spent":0.07031250000000017,"limit":0.75,"left":0.6796874999999997}]}],"fitting_count":0,"fitting_step":{"parameter":"noise_multiplier","value":0.8577}}}', 'too much', 'clinic', '', '2026-11-18T20:44:15.838Z');
INSERT INTO renyi_ledger.entries VALUES (30, '21c343d398cb119a079a71c30a4997ef7732f8b6459ff1071fa89d56e54bca9e', '{"entry":30,"previous":"b2d3f6def79d65d916a55ad39a2f62343990bb95ffb10fcc1a12b5a53b467b0b","time":"2026-11-18T20:44:15.839Z","request":{"verb":"scope","key":"auto-18e93e824cd22ffb-3b73-5e-64f3d61782f98c4e","scope":"reserved","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.5}},"outcome":{"accepted":true}}', 'auto-18e93e824cd22ffb-3b73-5e-64f3d61782f98c4e', 'reserved', '', '2026-11-18T20:44:15.839Z');
INSERT INTO renyi_ledger.entries VALUES (31, 'ad7c5c529945423a1fac0cae43fa7c3d381f1931094b13bd71bad8c9cf97a379', '{"entry":31,"previous":"21c343d398cb119a079a71c30a4997ef7732f8b6459ff1071fa89d56e54bca9e","time":"2026-11-18T20:44:15.839Z","request":{"verb":"reserve","key":"report","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"expires_in":3600},"outcome":{"accepted":true,"secret_sha256":"785d16450d3fe6d6db97e5d805c81a789709c197bde33b1f1a325cf62d835194","expires":"2026-11-18T21:44:15.839Z"}}', 'report', 'clinic', '', '2026-11-18T20:44:15.839Z');
INSERT INTO renyi_ledger.entries VALUES (32, 'f7cb5abd7fbe5388d7a57936857f52c6bd81ba402a7fc46b5d38e346d33b41bf', '{"entry":32,"previous":"ad7c5c529945423a1fac0cae43fa7c3d381f1931094b13bd71bad8c9cf97a379","time":"2026-11-18T20:44:15.841Z","request":{"verb":"open","key":"auto-18e93e824cf93e6b-3b73-5f-64f3d61782f98c4e","scope":"clinic","ticket":31},"outcome":{"accepted":true}}', 'auto-18e93e824cf93e6b-3b73-5f-64f3d61782f98c4e', 'clinic', '', '2026-11-18T20:44:15.841Z');
INSERT INTO renyi_ledger.entries VALUES (33, '51814e22a1f358adaf3ac124768c7c8f0cec6a204da52b3680779b55edd5ea81', '{"entry":33,"previous":"f7cb5abd7fbe5388d7a57936857f52c6bd81ba402a7fc46b5d38e346d33b41bf","time":"2026-11-18T20:44:15.846Z","request":{"verb":"commit","key":"auto-18e93e824d38d4bb-3b73-60-64f3d61782f98c4e","scope":"clinic","ticket":31,"output_sha256":"3eda4491e42679d541c8fa4fba548577b4c7d5e69390c9bd7cc2d760214ab390"},"outcome":{"accepted":true}}', 'auto-18e93e824d38d4bb-3b73-60-64f3d61782f98c4e', 'clinic', '', '2026-11-18T20:44:15.846Z');
INSERT INTO renyi_ledger.entries VALUES (34, '0f9c17f8d0948f7a10d9cbb1f90f507cfedf90aaaf16a006427c00d316f1fc6e', '{"entry":34,"previous":"51814e22a1f358adaf3ac124768c7c8f0cec6a204da52b3680779b55edd5ea81","time":"2026-11-18T20:44:15.847Z","request":{"verb":"reserve","key":"opened","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"expires_in":3600},"outcome":{"accepted":true,"secret_sha256":"d1f027e7d482cf8728ca5c91bc9792bc877fa03e5fe704abc2cbc464e48b8bec","expires":"2026-11-18T21:44:15.847Z"}}', 'opened', 'clinic', '', '2026-11-18T20:44:15.847Z');
INSERT INTO renyi_ledger.entries VALUES (35, 'c2f429bc7d4af88f8650c382fb44b8ac6d9c8a3ddee66eadf1957a633cc0828d', '{"entry":35,"previous":"0f9c17f8d0948f7a10d9cbb1f90f507cfedf90aaaf16a006427c00d316f1fc6e","time":"2026-11-18T20:44:15.847Z","request":{"verb":"open","key":"auto-18e93e824d5129f3-3b73-61-64f3d61782f98c4e","scope":"clinic","ticket":34},"outcome":{"accepted":true}}', 'auto-18e93e824d5129f3-3b73-61-64f3d61782f98c4e', 'clinic', '', '2026-11-18T20:44:15.847Z');
INSERT INTO renyi_ledger.entries VALUES (36, '11934ed3eeac3916bb09d994eaad39794ae3c745c430ccb99fc519f603251c43', '{"entry":36,"previous":"c2f429bc7d4af88f8650c382fb44b8ac6d9c8a3ddee66eadf1957a633cc0828d","time":"2026-11-18T20:44:15.848Z","request":{"verb":"reserve","key":"cancelled","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"expires_in":3600},"outcome":{"accepted":true,"secret_sha256":"02f6a7507697be470a32a29312c2485feeaac0a2d2585a0e7567725f6303195f","expires":"2026-11-18T21:44:15.848Z"}}', 'cancelled', 'clinic', '', '2026-11-18T20:44:15.848Z');
INSERT INTO renyi_ledger.entries VALUES (37, '099fd2f441d5a9d447fccfe8cc422272b478b83fa94f19515e3165c39cd8402d', '{"entry":37,"previous":"11934ed3eeac3916bb09d994eaad39794ae3c745c430ccb99fc519f603251c43","time":"2026-11-18T20:44:15.848Z","request":{"verb":"cancel","key":"auto-18e93e824d6397e3-3b73-62-64f3d61782f98c4e","scope":"clinic","ticket":36},"outcome":{"accepted":true}}', 'auto-18e93e824d6397e3-3b73-62-64f3d61782f98c4e', 'clinic', '', '2026-11-18T20:44:15.848Z');
INSERT INTO renyi_ledger.entries VALUES (38, '2f628e495cc7555d15de5c23715b8baccdd3bd8005f0c055c94de33e0b47012b', '{"entry":38,"previous":"099fd2f441d5a9d447fccfe8cc422272b478b83fa94f19515e3165c39cd8402d","time":"2026-11-18T20:44:15.851Z","request":{"verb":"reserve","key":"expired","scope":"clinic","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"expires_in":1},"outcome":{"accepted":true,"secret_sha256":"8dd04cf181ac2160576136251657bac56d623c3969cdbaa6715cc38abeb85dab","expires":"2026-11-18T20:44:16.851Z"}}', 'expired', 'clinic', '', '2026-11-18T20:44:15.851Z');
INSERT INTO renyi_ledger.entries VALUES (39, 'b0048b07dcc32ea3c45bb75ea88eb337f83627311c880c143f94bf0724c8fbfa', '{"entry":39,"previous":"2f628e495cc7555d15de5c23715b8baccdd3bd8005f0c055c94de33e0b47012b","time":"2026-11-18T20:44:17.052Z","request":{"verb":"expire","scope":"clinic","ticket":38},"outcome":{"accepted":true}}', '', 'clinic', '', '2026-11-18T20:44:17.052Z');
INSERT INTO renyi_ledger.entries VALUES (40, '389e5b1bbd7569ad21e900ef46765299c4d295d4acbc678439526417e66e7ff8', '{"entry":40,"previous":"b0048b07dcc32ea3c45bb75ea88eb337f83627311c880c143f94bf0724c8fbfa","time":"2026-11-18T20:44:17.071Z","request":{"verb":"reserve","key":"reserved","scope":"reserved","steps":[{"mechanism":"gaussian","noise_multiplier":4}],"expires_in":31622400},"outcome":{"accepted":true,"secret_sha256":"39f406ce0adb7e85161fdd8b29bbea6b3a5a10a274e46822444dca3e66af4555","expires":"2027-11-19T20:44:17.071Z"}}', 'reserved', 'reserved', '', '2026-11-18T20:44:17.071Z');
INSERT INTO renyi_ledger.facts VALUES ('place', 'postgresql:7709613981723404106/5/16392');
INSERT INTO renyi_ledger.facts VALUES ('ledger', '40eee2c41442386800b8b20ac2890252');
INSERT INTO renyi_ledger.facts VALUES ('made', '0');
INSERT INTO renyi_ledger.facts VALUES ('witness', 'postgresql://renyi@/postgres?host=/run/postgresql&schema=witness');
INSERT INTO renyi_ledger.outputs VALUES (31, '\x7b22766973697473223a313733317d');
INSERT INTO renyi_ledger.schema_version VALUES (1, '2026-11-18 20:44:15.770267+00');
INSERT INTO renyi_ledger.schema_version VALUES (2, '2026-11-18 20:44:15.770267+00');
INSERT INTO renyi_ledger.scopes VALUES ('clinic/gdp', 2, '{"verb":"scope","scope":"clinic/gdp","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"gdp","mu":0.5},"cap":{"kind":"gdp","mu":0.5},"may_cancel":false}');
INSERT INTO renyi_ledger.scopes VALUES ('pure', 3, '{"verb":"scope","scope":"pure","neighbors":"replace-one","unit":3,"budget":{"kind":"pure","epsilon":2},"cap":{"kind":"pure","epsilon":2}}');
INSERT INTO renyi_ledger.scopes VALUES ('tcdp', 4, '{"verb":"scope","scope":"tcdp","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"tcdp","rho":0.5,"omega":10},"cap":{"kind":"tcdp","rho":0.5,"omega":10}}');
INSERT INTO renyi_ledger.scopes VALUES ('approx', 5, '{"verb":"scope","scope":"approx","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"approx","epsilon":3,"delta":1e-06,"infinite_mass":1e-06},"cap":{"kind":"approx","epsilon":3,"delta":1e-06,"infinite_mass":1e-06}}');
INSERT INTO renyi_ledger.scopes VALUES ('training', 6, '{"verb":"scope","scope":"training","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"curve","limits":[{"order":1.25,"epsilon":0.01982001383719076},{"order":1.5,"epsilon":0.023886321429711595},{"order":2,"epsilon":0.03212752040132343},{"order":2.5,"epsilon":0.04051935234254254},{"order":3,"epsilon":0.049069472478799246},{"order":4,"epsilon":0.06667957865683383},{"order":5,"epsilon":0.08503949158332899},{"order":6,"epsilon":0.10425736368014772},{"order":8,"epsilon":0.14601758388021313},{"order":10,"epsilon":0.20189554325572223},{"order":12,"epsilon":10.346379844814559},{"order":14,"epsilon":207.0131829196524},{"order":16,"epsilon":424.9566819387197},{"order":20,"epsilon":854.2327598910895},{"order":24,"epsilon":1277.9902423141896},{"order":28,"epsilon":1698.6289775206699},{"order":32,"epsilon":2117.3541084211024},{"order":40,"epsilon":2951.4185367598143},{"order":48,"epsilon":3782.8895533614977},{"order":64,"epsilon":5442.00321657728},{"order":128,"epsilon":12062.782653741118},{"order":256,"epsilon":25290.473572532483},{"order":512,"epsilon":51739.01641834388},{"order":1024,"epsilon":104632.70601239108}]},"cap":{"kind":"curve","limits":[{"order":1.25,"epsilon":0.01982001383719076},{"order":1.5,"epsilon":0.023886321429711595},{"order":2,"epsilon":0.03212752040132343},{"order":2.5,"epsilon":0.04051935234254254},{"order":3,"epsilon":0.049069472478799246},{"order":4,"epsilon":0.06667957865683383},{"order":5,"epsilon":0.08503949158332899},{"order":6,"epsilon":0.10425736368014772},{"order":8,"epsilon":0.14601758388021313},{"order":10,"epsilon":0.20189554325572223},{"order":12,"epsilon":10.346379844814559},{"order":14,"epsilon":207.0131829196524},{"order":16,"epsilon":424.9566819387197},{"order":20,"epsilon":854.2327598910895},{"order":24,"epsilon":1277.9902423141896},{"order":28,"epsilon":1698.6289775206699},{"order":32,"epsilon":2117.3541084211024},{"order":40,"epsilon":2951.4185367598143},{"order":48,"epsilon":3782.8895533614977},{"order":64,"epsilon":5442.00321657728},{"order":128,"epsilon":12062.782653741118},{"order":256,"epsilon":25290.473572532483},{"order":512,"epsilon":51739.01641834388},{"order":1024,"epsilon":104632.70601239108}]}}');
INSERT INTO renyi_ledger.scopes VALUES ('order', 7, '{"verb":"scope","scope":"order","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"order","order":8,"epsilon":2},"cap":{"kind":"order","order":8,"epsilon":2}}');
INSERT INTO renyi_ledger.scopes VALUES ('shares', 8, '{"verb":"scope","scope":"shares","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"shares","epsilon":3,"shares":[{"order":4,"delta":4.999999999999996e-07},{"order":8,"delta":4.999999999999996e-07}]},"cap":{"kind":"shares","epsilon":3,"shares":[{"order":4,"delta":4.999999999999996e-07},{"order":8,"delta":4.999999999999996e-07}]}}');
INSERT INTO renyi_ledger.scopes VALUES ('analysts', 9, '{"verb":"scope","scope":"analysts","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.25},"cap":{"kind":"zcdp","rho":0.25},"analysts_may_collude":false}');
INSERT INTO renyi_ledger.scopes VALUES ('analysts/ana', 10, '{"verb":"scope","scope":"analysts/ana","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.25},"cap":{"kind":"zcdp","rho":0.25}}');
INSERT INTO renyi_ledger.scopes VALUES ('analysts/bob', 11, '{"verb":"scope","scope":"analysts/bob","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.125},"cap":{"kind":"zcdp","rho":0.125}}');
INSERT INTO renyi_ledger.scopes VALUES ('visits', 14, '{"verb":"scope","scope":"visits","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.1},"cap":{"kind":"zcdp","rho":0.1},"block_rule":{"rule":"the month of the visit","unit_in_one_block":true,"block_is_fixed":false},"blocks":["2026-10","2026-11","2026-12"]}');
INSERT INTO renyi_ledger.scopes VALUES ('clinic', 16, '{"verb":"scope","scope":"clinic","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.75},"cap":{"kind":"zcdp","rho":1}}');
INSERT INTO renyi_ledger.scopes VALUES ('reserved', 30, '{"verb":"scope","scope":"reserved","neighbors":"add-or-remove-one","unit":1,"budget":{"kind":"zcdp","rho":0.5},"cap":{"kind":"zcdp","rho":0.5}}');
INSERT INTO renyi_ledger.steps VALUES ('clinic', '|', '{"mechanism":"gaussian","noise_multiplier":8}', 1);
INSERT INTO renyi_ledger.steps VALUES ('clinic/gdp', '|', '{"mechanism":"gaussian","noise_multiplier":8}', 1);
INSERT INTO renyi_ledger.steps VALUES ('pure', '|', '{"mechanism":"laplace","scale":8}', 1);
INSERT INTO renyi_ledger.steps VALUES ('tcdp', '|', '{"mechanism":"tcdp","rho":0.01,"omega":12}', 1);
INSERT INTO renyi_ledger.steps VALUES ('approx', '|', '{"mechanism":"approx-dp","epsilon":0.25,"delta":1e-08}', 3);
INSERT INTO renyi_ledger.steps VALUES ('training', '|', '{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}', 100);
INSERT INTO renyi_ledger.steps VALUES ('order', '|', '{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}', 100);
INSERT INTO renyi_ledger.steps VALUES ('shares', '|', '{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1}', 100);
INSERT INTO renyi_ledger.steps VALUES ('analysts', 'ana|', '{"mechanism":"gaussian","noise_multiplier":4}', 1);
INSERT INTO renyi_ledger.steps VALUES ('analysts/ana', '|', '{"mechanism":"gaussian","noise_multiplier":4}', 1);
INSERT INTO renyi_ledger.steps VALUES ('analysts', 'bob|', '{"mechanism":"gaussian","noise_multiplier":8}', 1);
INSERT INTO renyi_ledger.steps VALUES ('analysts/bob', '|', '{"mechanism":"gaussian","noise_multiplier":8}', 1);
INSERT INTO renyi_ledger.steps VALUES ('visits', '|2026-10', '{"mechanism":"zcdp","rho":0.0625}', 1);
INSERT INTO renyi_ledger.steps VALUES ('visits', '|*', '{"mechanism":"zcdp","rho":0.015625}', 1);
INSERT INTO renyi_ledger.steps VALUES ('clinic', '|', '{"mechanism":"gaussian","noise_multiplier":4}', 4);
INSERT INTO renyi_ledger.steps VALUES ('reserved', '|', '{"mechanism":"gaussian","noise_multiplier":4}', 1);
INSERT INTO renyi_ledger.tickets VALUES (31, 'committed', 33, 'clinic', '2026-11-18T21:44:15.839Z', '');
INSERT INTO renyi_ledger.tickets VALUES (34, 'opened', 35, 'clinic', '2026-11-18T21:44:15.847Z', '');
INSERT INTO renyi_ledger.tickets VALUES (36, 'cancelled', 37, 'clinic', '2026-11-18T21:44:15.848Z', '');
INSERT INTO renyi_ledger.tickets VALUES (38, 'expired', 39, 'clinic', '2026-11-18T20:44:16.851Z', '');
INSERT INTO renyi_ledger.tickets VALUES (40, 'reserved', 40, 'reserved', '2027-11-19T20:44:17.071Z', '82e6cfe53c6604959f6fc0f22ba4cef8');
INSERT INTO witness.witnessed VALUES ('40eee2c41442386800b8b20ac2890252', 40, '389e5b1bbd7569ad21e900ef46765299c4d295d4acbc678439526417e66e7ff8');
ALTER TABLE ONLY renyi_ledger.cells
    ADD CONSTRAINT cells_pkey PRIMARY KEY (scope, cell);
ALTER TABLE ONLY renyi_ledger.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (entry);
ALTER TABLE ONLY renyi_ledger.facts
    ADD CONSTRAINT facts_pkey PRIMARY KEY (name);
ALTER TABLE ONLY renyi_ledger.outputs
    ADD CONSTRAINT outputs_pkey PRIMARY KEY (ticket);
ALTER TABLE ONLY renyi_ledger.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY renyi_ledger.scopes
    ADD CONSTRAINT scopes_pkey PRIMARY KEY (name);
ALTER TABLE ONLY renyi_ledger.steps
    ADD CONSTRAINT steps_pkey PRIMARY KEY (scope, cell, step);
ALTER TABLE ONLY renyi_ledger.tickets
    ADD CONSTRAINT tickets_pkey PRIMARY KEY (ticket);
ALTER TABLE ONLY witness.witnessed
    ADD CONSTRAINT witnessed_pkey PRIMARY KEY (ledger);
CREATE UNIQUE INDEX entries_by_key ON renyi_ledger.entries USING btree (key) WHERE (key <> ''::text);
CREATE INDEX scopes_by_entry ON renyi_ledger.scopes USING btree (entry);
CREATE INDEX tickets_by_expiry ON renyi_ledger.tickets USING btree (expires, ticket) WHERE (state = 'reserved'::text);
CREATE TRIGGER continue_log AFTER INSERT ON renyi_ledger.entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION renyi_ledger.continue_log();
CREATE TRIGGER refuse_rewriting BEFORE DELETE OR UPDATE OR TRUNCATE ON renyi_ledger.entries FOR EACH STATEMENT EXECUTE FUNCTION renyi_ledger.refuse_rewriting();
CREATE TRIGGER refuse_rewriting BEFORE DELETE OR UPDATE OR TRUNCATE ON renyi_ledger.outputs FOR EACH STATEMENT EXECUTE FUNCTION renyi_ledger.refuse_rewriting();
