"""Names in scripts without spaces: which characters of a name are replaced, left out or added in an answer.

A name whose characters are partly replaced is another name (南京大学 and 北京大学), and so is one with more characters
(東京都 and 京都), unless these are an affix (市, 先生) or the sentence around it.
"""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

# Traditional and Japanese forms of common characters, and the simplified ones that stand for them (from OpenCC's data).
_TRADITIONAL = (
    "丟並亂亞佈佔併來侖侶侷係俠倆倉個們倖倫偉側偵偽傑傘備傢傭傳債傷傾僅僑僕僥僱價儀億儈儉儘償優儲兇兌兒內兩冊冪凍凜凱別刪則剋剎剛剝創剷劃劇劉劊劍劑勁動務勛勝勞勢勳勵勸勻匯區協卹卻厭厲參叢吳吶呂員唸問啞啟喚喪喫喬單喲嗆嗎嗚嘆嘔"
    "嘗嘩嘯噓噴噸噹嚇嚐嚥嚨嚮嚴囂囌囑囪國圍園圓圖團執堅堯報場塊塗塢塵塹墊墜墮墳墾壇壓壘壞壟壩壯壺壽夠夢夥夾奧奪奮妝姦娛婁婦媽嬌嬰嬸孃孫學孿宮寢實寧審寫寬寵寶將專尋對導屆屍屜屢層屬岡島峽崑崗崙嶄嶺嶼嶽巒巖帥師帳帶幀幟幣幫幹幾庫"
    "廁廂廄廈廚廟廠廢廣廬廳弔張強彆彈彌彎彙彥彫彿後徑從復徵徹恆恥悅悶悽惡惱愛慄態慘慚慣慫慮慶慼慾憂憊憐憑憚憤憫憲憶懇應懲懶懷懸懼懾戀戰戲戶拋挾捨捱捲掃掄掙掛採揀揚換揮損搖搗搶摟摯摺摻撈撐撓撥撫撲撻撾撿擁擄擇擊擋擔據擠擬擰擱擲"
    "擴擺擻擾攆攏攔攙攜攝攣攤攪攬敗敘敵數斂斃斬斷於昇時晉晝暈暢暫曆曉曠曬書會朮東枴柵桿條棄棗棟棧棲楊楓業極榦榮構槍槓槳樁樂樑樓標樞樣樸樹橋機橢橫檔檢檯檸檻櫃櫥櫻欄權欽歎歐歡歲歷歸殘殲殺殼毀毆氈氣氫氾汎汙決沒沖況洩洶涼淒淚淨淪"
    "淵淺渙減渦測渾湊湧湯準溝溫溼滄滅滌滬滯滲滷滾滿漁漢漣漬漲漸漿潑潔潛潤潰澀澆澗澤澱濁濃濕濘濛濟濤濫濰濱濺濾瀉瀋瀕瀝瀰瀾灑灘灣灤災為烏無煉煙煥煩熒熱熾燈燒燙營燦燬燭燴燻燼爍爐爛爭爺爾牆牽犢犧狀狹狽猙猶獄獅獎獨獰獲獵獸獺獻現琺"
    "瑣瑤瑩瑪環瓊甕產甦畝畢畫異當疇疊痙痠瘋瘍瘓瘡瘧療癒癟癡癢癥癬癱發皚皺盃盜盞盡監盤盧盪眾睏睜瞞矇矚矯硃硯碩確碼磚礎礙礦礫礬祕祿禍禦禮禱禿稅稈稜種稱穀積穎穢穩穫窩窪窮窯窺竄竅竊競筆筍箇箋節範築篩簍簑簡簽簾籃籌籠籤籬籮籲粵糞糧"
    "糰糾紀約紅紉紋納紐純紗紙級紛紡紮細紳紹終絃組絆結絕絛絞絡絢給絨統絲絹綁綏綑經綜綠綢維綱網綴綵綸綻綽綿緊緒緘線緝緞締緣編緩緬緯練緻縛縣縫縮縱縴縷總績繃織繕繞繡繩繪繫繭繳繹繼續纏纓纔纖纜缽罈罰罵罷羅羨義習翹聖聞聯聰聲聳聶職聽"
    "聾肅脅脈脣脩脫脹腎腦腫腳腸膚膠膩膽膿臉臍臘臟臥臨臺與興舉舊艙艦艱艷茲荊莊莖莢華菸萊萬葉葦葷蒐蒼蓆蓋蓮蔔蔣蔥蔭蕩蕪蕭薊薑薔薦薩薹藍藝藥藹蘆蘇蘊蘋蘭蘿處虛虜號虧蛻蝕蝦蝨蝸螞螢蟬蟲蟻蠅蠍蠟蠱蠶蠻術衛衝補裝裡製複褲襖襪襬襯襲見規"
    "覓視親覺覽觀觸訂訃計訊討訓訖託記訛訝訟訣訪設許訴診註証詐評詛詞詠詢詣試詩詫詭話該詳誅誇誌認誕誘語誠誡誣誤誦誨說誰課誹誼調諄談請諒論諜諧諮諱諷諸諺諾謀謂謄謊謎謗謙講謝謠謬謹譁證譏識譚譜譟譯議譴護譽讀變讒讓讚豈豎豐豔豬貓貝貞"
    "負財貢貧貨販貪貫責貯貳貴貶買貸費貼貿賀賂賃賄資賈賊賒賓賜賞賠賢賣賤賦質賬賭賴賺購賽贅贈贊贍贏贓贖贛趕趙趨跡踐踴蹟蹤躊躍軀車軋軌軍軒軟軸較載輓輔輕輛輝輥輩輪輯輸輻輾輿轄轅轉轍轎轟辦辭辮辯農迴這連週進遊運過達違遙遜遞遠適遲遷"
    "選遺遼邁還邊邏郵鄉鄒鄧鄭鄰醜醞醣醫醬釀釁釋釐釘針釣釦釩鈉鈍鈔鈕鈞鈣鈴鈾鉀鉅鉑鉗鉚鉛鉤鉸鉻銀銅銑銘銜銳銷銻鋁鋅鋇鋒鋤鋪鋸鋼錄錐錘錠錢錦錨錫錯錳錶鍊鍋鍍鍛鍬鍵鍾鎂鎊鎖鎚鎢鎬鎮鎳鏈鏟鏡鏽鐘鐮鐳鐵鑄鑑鑒鑰鑲鑷鑼鑽鑿長門閃閉開閏閑"
    "閒間閘閡閣閤閥閨閩閱閻闆闊闌闖關闡闢陝陞陣陰陳陸陽隊階隕際隨險隱隴隸隻雖雙雛雜雞離難雲電霑霧靈靜鞏鞦韆韋韌韓韻響頁頂頃項順須頌預頑頒頓頗領頤頭頰頸頹頻顆題額顏願顛類顧顫顯顱風颱颳飄飛飢飯飲飼飽飾餃餅養餌餒餓餘餞餡館餵餾饅"
    "饑饒饞馬馭馮馱馳馴駁駐駒駕駛駝駭駱駿騁騎騙騰騷騾驅驕驗驚驟驢骯髒體髮鬆鬍鬚鬥鬧鬨鬱魚魯鮑鮮鯉鯨鰓鱉鱗鳥鳳鳴鴉鴕鴛鴦鴨鴻鴿鵑鵝鵬鵲鶴鷗鷹鹵鹹鹼鹽麗麥麴麵麼黃點黨黴鼕齊齋齒齡齣齧齲龍龐龔龜亜伝価倹児両剣剤労勲勧呉唖単厳囲円図"
    "団圧塁壊粧嬢実寛専対巌帯厠廃広庁弾従徴悪悩応懐戦戯戸揺択撃拠拡摂撹暦暁桟栄楽様検桜権歓歳歴帰殻気涙浄溌満渋沢済浜焼営犠猟獣産畳発頴穏絶糸経緑縁県縦総繋繍縄絵継続繊聡聴粛脳臓挙荘芸薬処蛍蝋覚覧観説謡訳読変譲豊弐売頼賛軽輌転"
    "弁逓遅辺郷醤醸釈舗録銭錬鉄鋳閲関険隠雑鶏霊顔顕騒駆験髪闘鼈鴎鹸塩麹斉斎歯齢竜亀"
)
_SIMPLIFIED = (
    "丢并乱亚布占并来仑侣局系侠俩仓个们幸伦伟侧侦伪杰伞备家佣传债伤倾仅侨仆侥雇价仪亿侩俭尽偿优储凶兑儿内两册幂冻凛凯别删则克刹刚剥创铲划剧刘刽剑剂劲动务勋胜劳势勋励劝匀汇区协恤却厌厉参丛吴呐吕员念问哑启唤丧吃乔单哟呛吗呜叹呕"
    "尝哗啸嘘喷吨当吓尝咽咙向严嚣苏嘱囱国围园圆图团执坚尧报场块涂坞尘堑垫坠堕坟垦坛压垒坏垄坝壮壶寿够梦伙夹奥夺奋妆奸娱娄妇妈娇婴婶娘孙学孪宫寝实宁审写宽宠宝将专寻对导届尸屉屡层属冈岛峡昆岗仑崭岭屿岳峦岩帅师帐带帧帜币帮干几库"
    "厕厢厩厦厨庙厂废广庐厅吊张强别弹弥弯汇彦雕佛后径从复征彻恒耻悦闷凄恶恼爱栗态惨惭惯怂虑庆戚欲忧惫怜凭惮愤悯宪忆恳应惩懒怀悬惧慑恋战戏户抛挟舍挨卷扫抡挣挂采拣扬换挥损摇捣抢搂挚折掺捞撑挠拨抚扑挞挝捡拥掳择击挡担据挤拟拧搁掷"
    "扩摆擞扰撵拢拦搀携摄挛摊搅揽败叙敌数敛毙斩断于升时晋昼晕畅暂历晓旷晒书会术东拐栅杆条弃枣栋栈栖杨枫业极干荣构枪杠桨桩乐梁楼标枢样朴树桥机椭横档检台柠槛柜橱樱栏权钦叹欧欢岁历归残歼杀壳毁殴毡气氢泛泛污决没冲况泄汹凉凄泪净沦"
    "渊浅涣减涡测浑凑涌汤准沟温湿沧灭涤沪滞渗卤滚满渔汉涟渍涨渐浆泼洁潜润溃涩浇涧泽淀浊浓湿泞蒙济涛滥潍滨溅滤泻沈濒沥弥澜洒滩湾滦灾为乌无炼烟焕烦荧热炽灯烧烫营灿毁烛烩熏烬烁炉烂争爷尔墙牵犊牺状狭狈狰犹狱狮奖独狞获猎兽獭献现珐"
    "琐瑶莹玛环琼瓮产苏亩毕画异当畴叠痉酸疯疡痪疮疟疗愈瘪痴痒症癣瘫发皑皱杯盗盏尽监盘卢荡众困睁瞒蒙瞩矫朱砚硕确码砖础碍矿砾矾秘禄祸御礼祷秃税秆棱种称谷积颖秽稳获窝洼穷窑窥窜窍窃竞笔笋个笺节范筑筛篓蓑简签帘篮筹笼签篱箩吁粤粪粮"
    "团纠纪约红纫纹纳纽纯纱纸级纷纺扎细绅绍终弦组绊结绝绦绞络绚给绒统丝绢绑绥捆经综绿绸维纲网缀彩纶绽绰绵紧绪缄线缉缎缔缘编缓缅纬练致缚县缝缩纵纤缕总绩绷织缮绕绣绳绘系茧缴绎继续缠缨才纤缆钵坛罚骂罢罗羡义习翘圣闻联聪声耸聂职听"
    "聋肃胁脉唇修脱胀肾脑肿脚肠肤胶腻胆脓脸脐腊脏卧临台与兴举旧舱舰艰艳兹荆庄茎荚华烟莱万叶苇荤搜苍席盖莲卜蒋葱荫荡芜萧蓟姜蔷荐萨苔蓝艺药蔼芦苏蕴苹兰萝处虚虏号亏蜕蚀虾虱蜗蚂萤蝉虫蚁蝇蝎蜡蛊蚕蛮术卫冲补装里制复裤袄袜摆衬袭见规"
    "觅视亲觉览观触订讣计讯讨训讫托记讹讶讼诀访设许诉诊注证诈评诅词咏询诣试诗诧诡话该详诛夸志认诞诱语诚诫诬误诵诲说谁课诽谊调谆谈请谅论谍谐咨讳讽诸谚诺谋谓誊谎谜谤谦讲谢谣谬谨哗证讥识谭谱噪译议谴护誉读变谗让赞岂竖丰艳猪猫贝贞"
    "负财贡贫货贩贪贯责贮贰贵贬买贷费贴贸贺赂赁贿资贾贼赊宾赐赏赔贤卖贱赋质账赌赖赚购赛赘赠赞赡赢赃赎赣赶赵趋迹践踊迹踪踌跃躯车轧轨军轩软轴较载挽辅轻辆辉辊辈轮辑输辐辗舆辖辕转辙轿轰办辞辫辩农回这连周进游运过达违遥逊递远适迟迁"
    "选遗辽迈还边逻邮乡邹邓郑邻丑酝糖医酱酿衅释厘钉针钓扣钒钠钝钞钮钧钙铃铀钾巨铂钳铆铅钩铰铬银铜铣铭衔锐销锑铝锌钡锋锄铺锯钢录锥锤锭钱锦锚锡错锰表炼锅镀锻锹键钟镁镑锁锤钨镐镇镍链铲镜锈钟镰镭铁铸鉴鉴钥镶镊锣钻凿长门闪闭开闰闲"
    "闲间闸阂阁合阀闺闽阅阎板阔阑闯关阐辟陕升阵阴陈陆阳队阶陨际随险隐陇隶只虽双雏杂鸡离难云电沾雾灵静巩秋千韦韧韩韵响页顶顷项顺须颂预顽颁顿颇领颐头颊颈颓频颗题额颜愿颠类顾颤显颅风台刮飘飞饥饭饮饲饱饰饺饼养饵馁饿余饯馅馆喂馏馒"
    "饥饶馋马驭冯驮驰驯驳驻驹驾驶驼骇骆骏骋骑骗腾骚骡驱骄验惊骤驴肮脏体发松胡须斗闹哄郁鱼鲁鲍鲜鲤鲸鳃鳖鳞鸟凤鸣鸦鸵鸳鸯鸭鸿鸽鹃鹅鹏鹊鹤鸥鹰卤咸碱盐丽麦曲面么黄点党霉冬齐斋齿龄出啮龋龙庞龚龟亚传价俭儿两剑剂劳勋劝吴哑单严围圆图"
    "团压垒坏妆娘实宽专对岩带厕废广厅弹从征恶恼应怀战戏户摇择击据扩摄搅历晓栈荣乐样检樱权欢岁历归壳气泪净泼满涩泽济滨烧营牺猎兽产叠发颖稳绝丝经绿缘县纵总系绣绳绘继续纤聪听肃脑脏举庄艺药处萤蜡觉览观说谣译读变让丰贰卖赖赞轻辆转"
    "辩递迟边乡酱酿释铺录钱炼铁铸阅关险隐杂鸡灵颜显骚驱验发斗鳖鸥碱盐曲齐斋齿龄龙龟"
)
SIMPLIFY = str.maketrans(_TRADITIONAL, _SIMPLIFIED)
"""Translates characters to their simplified forms, one for one."""

_RUN = re.compile(
    r"[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+"
)
_FIRST_IDEOGRAPH = "\u3005"
# What may follow a name without changing it, and what a place in which it lies may end in.
_SUFFIXES = tuple(
    suffix.translate(SIMPLIFY)
    for suffix in "先生 女士 小姐 同志 教授 博士 医生 主席 总统 老师 大人 さん さま くん ちゃん 氏 君 様 市 省 県 县 府 都 道 区 州 国 町 村".split()
)
_REGIONS = frozenset("省市县県府道区州国")
# What may precede a name: offices and titles.
_PREFIXES = tuple(
    "总统 主席 总理 首相 国王 皇帝 女王 作者 作家 诗人 画家 导演 演员 歌手 首都 答案 教授 博士 先生 城市 国家".split()
)
# Characters of the sentence around a name.
_SENTENCE = frozenset("是為为的了在有和与及或也都就被把对从到于让给说叫称不没由至位很该它他她这那にはがをにへでともの")
_AGENT = frozenset("由被让把对在")  # a verb follows the name: 由鲁迅创作
_COPULA = frozenset("是為为在于叫由はがを")
_FINAL_PARTICLES = "吧呢吗啊呀嘛哦啦"  # end a sentence
_HIRAGANA = re.compile(r"[\u3041-\u309f]")
_VERB_ENDINGS = ("です", "である", "でした", "だ")
_LONGEST_NAME = 12


def is_another_name(reference: str, answer: str) -> bool:
    """Return whether an answer has another name where a run of such characters in a reference should be."""
    runs = [run.group() for run in _RUN.finditer(answer.translate(SIMPLIFY))]
    names = [run.group() for run in _RUN.finditer(reference.translate(SIMPLIFY))] if runs else []
    others = [run for run in runs if run not in names]
    checked = [name for name in names if name not in runs and 2 <= len(name) <= _LONGEST_NAME]
    return any(_is_replaced(name, others) for name in checked)


def _is_replaced(name: str, runs: Iterable[str]) -> bool:
    """Return whether every place of a name, or of a part of it, has other characters."""
    core = next(
        (name[: -len(affix)] for affix in _SUFFIXES if name.endswith(affix) and len(name) > len(affix) + 1), name
    )
    verdicts = [_fits(core, run, match.start()) for run in runs for match in re.finditer(re.escape(core), run)]
    if verdicts:
        return not any(verdicts)
    parts = [(SequenceMatcher(None, core, run, autojunk=False).find_longest_match(), run) for run in runs]
    parts = [(part, run) for part, run in parts if part.size and not _is_left_out(core, run)]
    return bool(parts) and all(_has_other_characters(core, run, part.a, part.b, part.size) for part, run in parts)


def _is_left_out(name: str, run: str) -> bool:
    """Return whether a run is a name without some of its characters: 北大 for 北京大学."""
    rest = iter(name)
    return all(character in rest for character in run)


def _has_other_characters(name: str, run: str, at: int, start: int, size: int) -> bool:
    """Return whether characters stand beside a part of a name where it has others."""
    before = at > 0 and start > 0 and run[start - 1] not in _SENTENCE
    end = start + size
    return before or (at + size < len(name) and end < len(run) and run[end] not in _SENTENCE)


def _fits(name: str, run: str, start: int) -> bool:
    """Return whether a name in a run of characters stands for itself, not for a longer name."""
    if name < _FIRST_IDEOGRAPH:  # Thai, Lao, Burmese, Khmer: affixes are not known, and words may stand around
        return True
    left, right = run[:start], run[start + len(name) :]
    opening = max((place for place, character in enumerate(left) if character in _SENTENCE), default=-1)
    is_agent = opening >= 0 and left[opening] in _AGENT
    left = left[opening + 1 :]
    if _HIRAGANA.match(left[-1:]) and not _HIRAGANA.match(name):
        left = ""  # 間違いなく東京
    right = next((right.removesuffix(ending) for ending in _VERB_ENDINGS if right.endswith(ending)), right)
    stop = next((place for place, character in enumerate(right) if character in _SENTENCE), len(right))
    is_sentence = stop < len(right) and right[stop] not in _COPULA
    right = "" if _HIRAGANA.match(right) and not _HIRAGANA.match(name[-1]) else right[:stop].rstrip(_FINAL_PARTICLES)
    if len(left) > 1 and (right or is_sentence) and left[-1] not in _REGIONS:
        return True  # a word in the middle of a sentence
    is_left_free = not left or left[-1] in _REGIONS or left.endswith(_PREFIXES) or len(left) > _LONGEST_NAME
    is_right_free = not right or right.startswith(_SUFFIXES) or is_sentence or is_agent
    return is_left_free and is_right_free
