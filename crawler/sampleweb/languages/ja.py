"""Japanese: words of kanji and katakana, verbs and adjectives with their kana endings."""

from __future__ import annotations

from crawler.sampleweb.languages.lexicon import (
    Column,
    LanguageData,
    compound,
    each,
    ending,
    general,
    numerals,
    topical,
)

_NOUNS = """
音楽 画家 映画 演劇 詩集 小説 舞台 俳優 歌手 彫刻 写真 作品 芸術 色彩 監督 劇場 絵画 楽器 ピアノ ギター |
市場 会社 契約 顧客 銀行 工場 利益 価格 製品 社長 商店 税金 投資 株式 給料 貿易 広告 資金 ブランド オフィス |
電脳 端末 画面 記録 暗号 機械 情報 通信 装置 回路 サーバー ネットワーク プログラム データ ファイル キーボード ソフト ロボット アプリ ケーブル |
医者 病院 患者 薬品 病気 心臓 骨格 手術 症状 栄養 看護 血液 筋肉 健康 皮膚 治療 ワクチン ビタミン アレルギー マスク |
台所 庭園 窓辺 家具 野菜 料理 茶碗 寝室 照明 屋根 布団 食卓 玄関 お皿 部屋 パン スープ カーテン ソファー テーブル |
政府 新聞 記者 選挙 法律 会議 大臣 議員 危機 政策 改革 裁判 社説 国境 軍隊 条約 調査 警察 証拠 ニュース |
旅行 島々 渓谷 砂浜 旅館 地図 河川 森林 湖畔 港町 荷物 列車 鉄橋 村落 景色 温泉 ホテル キャンプ バス テント |
学校 先生 学生 教科書 辞書 試験 図書 問題 解答 文法 文章 教室 大学 論文 授業 知識 宿題 文字 ノート クラス |
科学 実験 惑星 銀河 細胞 分子 理論 気候 火山 昆虫 植物 金属 資源 公式 衛星 地質 物質 磁場 温度 エネルギー |
洋服 靴下 贈物 指輪 時計 香水 帽子 小包 割引 財布 目録 生地 着物 商品 寸法 シャツ バッグ セール ドレス ボタン |
家族 隣人 祭日 伝統 地域 宗教 寺院 結婚 先祖 住民 風習 農民 子供 老人 信仰 社会 民族 協会 故郷 ボランティア |
選手 試合 運動 監督 優勝 競技 水泳 審判 球場 決勝 体操 野球 相撲 記録 速度 チーム サッカー テニス メダル ゴール
"""
_NOUN_TAILS = "者 家 性 学 化 部 会 力 法 館 論 員 店 費 側"
_SURU = """
発見 研究 紹介 準備 参加 影響 保護 変更 使用 選択 議論 支持 反対 解決 向上 増加 減少 完成 開始 検査 比較 分析 組織 管理 支配 建設 生産 販売 購入 提供 希望 認識 理解
記録 表現 説明 証明 解釈 学習 訪問 観察 鑑賞 尊重 批判 援助 掃除 修理 設計 製造 創造 推薦 招待 拒否 受諾 収集 保存 削除 翻訳 出版 発表 交換 輸送 放棄 継続 停止 防止
回復 訓練 指導 代表 担当 到達 獲得 失敗 通過 歓迎 祝福 想像 考慮 決定 計画 無視 調整 更新 接続 測定 計算 統計 予測 探検 展示 移動
"""
# verbs whose stem takes the endings of the row of its last kana
_GODAN = """
書く 聞く 歩く 働く 動く 開く 置く 描く 続く 届く 泳ぐ 急ぐ 防ぐ 話す 探す 出す 押す 直す 残す 渡す 試す 隠す 待つ 持つ 立つ 勝つ 育つ 打つ 買う 使う 習う 歌う 会う
洗う 思う 言う 願う 笑う 作る 送る 売る 取る 乗る 座る 走る 守る 切る 知る 帰る 終わる 始まる 変わる 集まる 読む 飲む 住む 休む 進む 頼む 学ぶ 選ぶ 運ぶ 遊ぶ 呼ぶ
飛ぶ 結ぶ
"""
_ICHIDAN = """
見る 食べる 教える 覚える 考える 開ける 閉める 始める 集める 決める 調べる 比べる 並べる 忘れる 助ける 届ける 見つける 続ける 伝える 変える 迎える 与える 求める 認める
育てる 建てる 捨てる 受ける 避ける 信じる 感じる 借りる 降りる 起きる
"""
_ADJECTIVES = """
大き 小さ 新し 古 高 低 長 短 広 狭 深 浅 重 軽 硬 柔らか 暑 寒 熱 冷た 暖か 涼し 明る 暗 白 黒 赤 青 美し 楽し 嬉し 悲し 面白 難し 易し 優し 厳し 珍し 忙し
正し 若 強 弱 速 遅 近 遠 甘 辛 安 多 少な 良 悪 鋭 鈍 丸 細 太 薄 濃 清
"""
_NA = """
静か 便利 有名 大切 自由 複雑 簡単 豊か 貧乏 特別 普通 安全 危険 丁寧 親切 元気 正直 公平 巨大 新鮮 快適 重要 伝統的 近代的 国際的 科学的 歴史的 経済的 文化的 個人的
社会的 自然 人工的 独特 深刻 具体的 抽象的 積極的
"""
_ADVERBS = """
すでに よく いつも ときどき 昨日 今日 明日 今 昔 最近 ついに 突然 とても たぶん おそらく きっと ほとんど まだ すぐに 一緒に 同時に その後 まず 実は やがて ゆっくり
しばしば
"""
_SURNAME_STARTS = (
    "山 川 田 中 小 大 高 松 竹 石 木 森 林 水 青 白 黒 金 藤 佐 西 東 北 南 上 下 村 島 原 谷"
)
_SURNAME_ENDS = (
    "田 川 山 本 野 村 木 原 島 崎 沢 井 口 橋 谷 岡 森 林 藤 内 瀬 塚 倉 津 浜 町 市 城 宮 坂"
)
_GRAMMAR = """
NP: 6 N | 3 ADJI N | 3 NA な N | 3 N の N | 2 この/その/あの/ある N | NAME の N | NUM の N | VTA N
  | 2 PP2 N
PP2: N での/からの/への/との
SUBJ: 5 NP は | 4 NP が | 2 NAME さんは/氏は/さんが | 彼は/彼女は/私たちは/人々は | N と N は | NP も
OBJ: 5 NP を | 2 N や N を | NP など を
ADVP: 3 NP で | 3 NP に | 2 NP から | NP へ | NP まで | ADV | ADJKU | YEAR 年に | NP について | NP によって
PRED: 4 SURU した/する/している/しました/します/できる/していた/したい/しない | 3 VTA | 2 VDIC | 2 VMASU
  | VNAI | VTE いる/いた/います/みた
CLOSE: 5 OBJ PRED | 3 ADVP OBJ PRED | 2 ADVP ADVP OBJ PRED | ADVP PRED
CL: 6 SUBJ CLOSE | 2 NP は ADJI | NP は ADJKATTA | NP は NA だった/である/です | NP が ADVP ある/いる/あった
  | NP は N である/だった/です/ではない
CON: 4 SUBJ OBJ VTE | 3 SUBJ OBJ SURU し | 2 CL が/ので/けれど/から/ため | NP は ADJKUTE | CL とき/なら/ように
S: 4 CON 、 CLOSE | 3 CON 、 CL | 2 ADVP 、 CL | 2 CL | SUBJ CLOSE と 言った/思う/述べた
  | ADVP SUBJ 、 ADVP CLOSE | CON 、 CON 、 CLOSE
T: NA な N の N | ADJI N と N | NP を SURU する N | NAME さんの N | どうして N を SURU するのか | N へ VDIC N
L: 4 N | 3 N の N | 2 ADJI N | NAME N | N と N
"""
# last kana of the dictionary form: before masu, before nai, past, te-form
_ROWS = {
    "く": ("き", "か", "いた", "いて"),
    "ぐ": ("ぎ", "が", "いだ", "いで"),
    "す": ("し", "さ", "した", "して"),
    "つ": ("ち", "た", "った", "って"),
    "う": ("い", "わ", "った", "って"),
    "る": ("り", "ら", "った", "って"),
    "む": ("み", "ま", "んだ", "んで"),
    "ぶ": ("び", "ば", "んだ", "んで"),
}
_ICHIDAN_ROW = ("", "", "た", "て")


def _verbs() -> dict[str, Column]:
    godan, ichidan = general(_GODAN), general(_ICHIDAN)

    def form(row: int, suffix: str) -> Column:
        strong = each(godan, lambda verb: verb[:-1] + _ROWS[verb[-1]][row] + suffix)
        return strong + each(ichidan, lambda verb: verb[:-1] + _ICHIDAN_ROW[row] + suffix)

    return {
        "VDIC": godan + ichidan,
        "VMASU": form(0, "ます") + form(0, "ました") + form(0, "たい"),
        "VNAI": form(1, "ない") + form(1, "なかった"),
        "VTA": form(2, ""),
        "VTE": form(3, ""),
    }


def _columns() -> dict[str, Column]:
    nouns = topical(_NOUNS)
    kanji = [(noun, home) for noun, home in nouns if noun[-1] >= "一"]
    adjectives = general(_ADJECTIVES)
    names = [
        (name, home)
        for name, home in compound(general(_SURNAME_STARTS), general(_SURNAME_ENDS))
        if name[0] != name[1]
    ]
    return _verbs() | {
        "N": nouns + compound(kanji, general(_NOUN_TAILS)),
        "SURU": general(_SURU),
        "ADJI": ending(adjectives, "い"),
        "ADJKU": ending(adjectives, "く"),
        "ADJKUTE": ending(adjectives, "くて"),
        "ADJKATTA": ending(adjectives, "かった"),
        "NA": general(_NA),
        "ADV": general(_ADVERBS),
        "NAME": names,
        "NUM": numerals(4, 90),
        "YEAR": numerals(1890, 2024),
    }


def build() -> LanguageData:
    """Return the grammar and the columns of Japanese."""
    return LanguageData(grammar=_GRAMMAR, columns=_columns(), spaces=False, stop="。")
